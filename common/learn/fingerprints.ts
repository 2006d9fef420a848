import type { ExactJson, JsonObject } from '../json/exact-json.ts';
import { isJsonObject } from '../json/exact-json.ts';
import { observeTakenNames } from './creation-observers.ts';
import { type Exchange, toOperation } from './exchange.ts';
import { type FinishedRun, furtherOf, isPlainName, isValid } from './finished-run.ts';
import { KNOWN_HEADERS } from './known-headers.ts';
import { nameProbe } from './name-probe.ts';
import { isRefusedAsFull } from './new-pet.ts';

/**
 * What a deployment returned to probes that got the same. A name of a header or a member ends with `?` if only some such
 * responses had it.
 */
export interface Fingerprint {
  readonly status: number;
  /** The codes of the Errors. */
  readonly codes: readonly string[];
  readonly headers: readonly string[];
  /** Members of the animals or of the Error. Undefined if no response showed all of them. */
  readonly members?: readonly string[];
  /** Names of the probes, see `nameProbe`. */
  readonly probes: readonly string[];
}

/** Replaces a name that may be anything, such as a key or an address. */
const OTHER = '{other}';

/** Headers that differ from one response to the next, or with the length of its body and the way to the deployment. */
const CHANGING_HEADERS: ReadonlySet<string> = new Set([
  'age',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'retry-after',
  'transfer-encoding',
  'via',
]);

/** Takes the fingerprints of a run. What another run against the same deployment may get otherwise is not in them. */
export function takeFingerprints(run: FinishedRun): readonly Fingerprint[] {
  const seen = run.all.filter(createIsOfService(run));
  const tally = new Tally(run, seen);
  const byProbe = Map.groupBy(seen, (exchange) => `${exchange.status} ${nameProbe(exchange, run)}`);
  const all = [...byProbe.values()].map((exchanges) => tally.describe(exchanges));
  const equal = Map.groupBy(all, ({ probes, ...others }) => JSON.stringify(others));
  const grouped = [...equal.values()].flatMap(([first, ...others]) => {
    const probes = [first, ...others].flatMap((one) => one?.probes ?? []).toSorted();
    return first === undefined ? [] : [{ ...first, probes }];
  });
  return grouped.toSorted((one, other) => one.status - other.status);
}

/** Returns a test of whether the service has answered a request for the request's sake, and not for a limit or a full store. */
function createIsOfService(run: FinishedRun): (exchange: Exchange) => boolean {
  const isUsual = ({ sent }: Exchange) => isPlainName(sent.name) && run.isAccepted(sent.categoryId);
  const isFull = run.usualPosts.some((post) => isUsual(post) && isRefusedAsFull(post, run.target));
  const takenNames = observeTakenNames(run);
  const isUnique = 'value' in takenNames && takenNames.value !== 'no';
  return (exchange) => {
    if (exchange.isTooMany || exchange.isUnreached || exchange.isGatewayPage) return false;
    // Whether it gets a 304 depends on when the animal changed last.
    if (Object.keys(exchange.request.headers).some((name) => /^if-none-match$/i.test(name))) return false;
    // An animal of an earlier run may have one of the names that every run sends.
    const isRefused = exchange.status >= 400 && isValid(exchange.sent);
    if (isUnique && isRefused && !run.isTaken(exchange)) return false;
    return !(isFull && isRefusedAsFull(exchange, run.target));
  };
}

/** Counts what all responses of an operation with a status have, so that one response cannot show that each has it. */
class Tally {
  readonly #run: FinishedRun;
  readonly #sent: ReadonlySet<string>;
  readonly #headers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #members: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(run: FinishedRun, exchanges: readonly Exchange[]) {
    this.#run = run;
    this.#sent = new Set(run.posts.flatMap(({ sent }) => furtherOf(sent)));
    const groups = [...Map.groupBy(exchanges, groupOf)];
    this.#headers = new Map(groups.map(([group, some]) => [group, namesOfAll(some.map(headersOf))]));
    const ofObjects = (some: readonly Exchange[]) => some.flatMap((one) => this.#listMembers(one));
    this.#members = new Map(groups.map(([group, some]) => [group, namesOfAll(ofObjects(some))]));
  }

  /** Describes exchanges of one probe with one status. */
  describe(exchanges: readonly Exchange[]): Fingerprint {
    const [first] = exchanges as readonly [Exchange];
    const group = groupOf(first);
    const codes = exchanges.flatMap(({ status, object }) =>
      status >= 400 && typeof object?.code === 'string' ? [toSafeName(object.code, CODE, this.#run)] : [],
    );
    const objects = exchanges.flatMap((exchange) => this.#listMembers(exchange));
    const ofGroup = new Set(this.#members.get(group));
    // Animals of a list by status have one, whatever other animals have.
    if (/^\/pets\?(?:.*&)?status=(?:available|pending|sold)(?:&|$)/.test(first.path)) ofGroup.add('status');
    const members = mark(objects, ofGroup).map((name) => toSafeName(name, MEMBER, this.#run));
    return {
      status: first.status,
      codes: [...new Set(codes)].toSorted(),
      headers: mark(exchanges.map(headersOf), this.#headers.get(group)),
      ...(objects.length > 0 && { members: [...new Set(members)].toSorted() }),
      probes: [nameProbe(first, this.#run)],
    };
  }

  /** Lists the names of members of each object in a response, without names that the run has sent. */
  #listMembers({ response, json, animals, object, isList }: Exchange): string[][] {
    // Of a long body only known members are kept.
    if (response?.length !== undefined || json === undefined) return [];
    const objects: readonly (JsonObject | undefined)[] = isList ? animals : [object];
    const isObject = (value: ExactJson | undefined): value is JsonObject =>
      value !== undefined && isJsonObject(value);
    return objects.filter(isObject).map((one) => Object.keys(one).filter((name) => !this.#sent.has(name)));
  }
}

/** Animals of GET requests are compared with each other, and those of a POST have their probes. */
function groupOf({ request, status }: Exchange): string {
  return `${toOperation(request)} ${status}`;
}

function headersOf({ response }: Exchange): string[] {
  const names = Object.keys(response?.headers ?? {});
  return names.filter((name) => KNOWN_HEADERS.has(name) && !CHANGING_HEADERS.has(name));
}

/** Returns the names that each list has. */
function namesOfAll(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const [first, ...others] = lists.map((names) => new Set(names));
  return others.reduce((common, names) => common.intersection(names), first ?? new Set<string>());
}

/** Marks with `?` the names that not each list has, or that the set lacks. */
function mark(lists: readonly (readonly string[])[], ofGroup: ReadonlySet<string> = new Set()): string[] {
  const ofAll = namesOfAll(lists);
  const isSure = (name: string) => ofAll.has(name) && ofGroup.has(name);
  return [...new Set(lists.flat())].toSorted().map((name) => (isSure(name) ? name : `${name}?`));
}

const CODE = /^[\w.:-]{1,60}$/;
const MEMBER = /^[a-zA-Z_][\w.-]{0,39}\??$/;

function toSafeName(name: string, pattern: RegExp, run: FinishedRun): string {
  return pattern.test(name) && run.hide(name) === name ? name : OTHER;
}
