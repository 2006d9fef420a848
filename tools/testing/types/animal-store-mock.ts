import type {
  AddedFault,
  AnimalInput,
  Control,
  FaultOptions,
  JournalEntry,
  JournalViolation,
  ListFilter,
  Mock,
  MockOptions,
  MockSession,
  Pet,
  RemoteFault,
  RemoteMock,
  RequestFilter,
  SettingChanges,
  Violation,
  WaitFilter,
} from 'animal-store-mock';
import { DataFileError, forEachBehaviour, startMock, UsageError } from 'animal-store-mock';
import { connectMock } from 'animal-store-mock/client';
import { type Pet as AnyPet, type Error as ApiError, printInt64, readInt64 } from 'animal-store-mock/types';

const options: MockOptions = { port: 0, log: 'silent', behaviour: { order: 'random', pageSize: 25 } };
const mock: Mock = await startMock({ ...options, profile: 'edge-cases', now: new Date(), latency: '50-200' });
const control: Control = mock;
const input: AnimalInput = { id: 2n ** 60n, name: 'Rex', categoryId: 1, status: 'sold' };
const pets: Pet[] = [control.animals.add(input), ...control.animals.replace([input])];
export const exact: bigint | undefined = pets[0]?.id;

const query = { status: 'sold' };
const match: FaultOptions['match'] = { petId: 1n, query, headers: { 'X-Role': 'a' } };
const response = { status: 503, headers: { 'Retry-After': 30 }, body: { id: 2n ** 60n } };
const fault: FaultOptions = { match, operation: 'listPets', delay: '50-200', times: 1, response };
export const { id } = mock.faults.add(fault);

const held: AddedFault = mock.faults.add({ hold: true });
held.release();
const filter: RequestFilter = { operation: 'listPets', status: 200, query: { limit: 1 }, since: 1 };
const latest: ListFilter = { ...filter, limit: 1 };
const wait: WaitFilter = { ...filter, body: { categoryId: 2n ** 60n }, timeout: 100 };
const entry: JournalEntry = await mock.waitForRequest(wait);
export const durations: (number | undefined)[] = mock.requests(latest).map(({ ms }) => ms);
export const sent: string | undefined = entry.headers['content-type'] ?? entry.body ?? entry.answer?.body;
const changes: SettingChanges = { now: '2030-12-05', apiKeys: ['next-key'] };
mock.configure(changes);
export const rules: string[] = mock.violations({ severity: 'error', since: 7 }).map(({ rule }) => rule);
export const printPlace = ({ location, received = '' }: Violation): string => location.join('.') + received;
export const urls = (kept: readonly JournalViolation[]): string[] => kept.map(({ url }) => url);
const session: MockSession = mock.session('w1');
await session.fill(mock.profiles()[0]?.name ?? 'default');
mock.clearRequests({ until: entry.id });
const getSession = () => session;
forEachBehaviour(getSession, async ({ order }) => order === 'oldest');
const [acting] = await session.findActingValues(() => session.animals.all());
if (acting !== undefined) session.configure({ behaviour: acting.behaviour });
export const errors: Error[] = [new UsageError('wrong'), new DataFileError('wrong')];

const remote: RemoteMock = connectMock(mock.url, { adminToken: 'token' });
const remotePets: Pet[] = await remote.session('w1').animals.replace([input]);
export const size: number = (await remote.animals.size()) + (await remote.countRequests(filter));
export const arrived: Date = (await remote.waitForResponse(wait)).time;
const remoteFault: RemoteFault = await remote.faults.add({ hold: true });
export const released: Promise<void> = remoteFault.release();
const plain: AnyPet<number> = { id: 7, name: 'Rex', categoryId: 1 };
export const read: AnyPet = JSON.parse(printInt64(plain), readInt64);
export const code = ({ code }: ApiError): string => code;
export const dispose: () => Promise<void> = mock[Symbol.asyncDispose];

// What a user may get wrong.
// @ts-expect-error a promise
remotePets.push(...remote.animals.all());
// @ts-expect-error the id is a number
export const inexact: AnyPet<number> = { ...plain, id: 7n };
// @ts-expect-error a port is a number
startMock({ port: '0' });
// @ts-expect-error no such option
startMock({ prot: 0 });
// @ts-expect-error no such operation
mock.faults.add({ operation: 'deletePet', status: 500 });
// @ts-expect-error no such status
mock.animals.add({ name: 'Rex', categoryId: 1, status: 'lost' });
// @ts-expect-error an id is a bigint
mock.animals.all().map(({ id }): number => id);
// @ts-expect-error the journal is not to be changed
entry.body = '';
