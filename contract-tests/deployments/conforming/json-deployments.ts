import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../../../common/json/exact-json.ts';
import { change } from '../changes.ts';
import { type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { set } from '../members.ts';
import { always } from '../requests.ts';

function printJson(print: (value: ExactJson) => string): CreateBehaviour {
  return change.reply(always, ({ body }) => ({ body: print(parseExactJson(body)) }));
}

function changeText(toText: (json: string) => string): CreateBehaviour {
  return printJson((value) => toText(printExactJson(value)));
}

function changeObjects(toObject: (object: JsonObject) => JsonObject): CreateBehaviour {
  return printJson((value) =>
    printExactJson(isJsonObject(value) ? toObject(value) : (value as readonly JsonObject[]).map(toObject)),
  );
}

function printIntegers(print: (digits: string) => string): CreateBehaviour {
  // No string of the mock has a number between these marks.
  return printJson((value) =>
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `@@${member}@@` : member)).replaceAll(
      /"@@(-?\d+)@@"/g,
      (_, digits: string) => print(digits),
    ),
  );
}

/** Prints an integer such as 1200 as 12E+2, and one such as 120 as 120.0. */
function printUnusually(digits: string): string {
  if (digits.length % 2 === 1) return `${digits}.0`;
  return digits.replace(/^(-?\d*[1-9])(0*)$/, (_, significant, zeros) => `${significant}E+${zeros.length}`);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeStrings(json: string): string {
  return json.replaceAll(
    /"(?:[^"\\]|\\.)*"/g,
    (text) => `"${(JSON.parse(text) as string).replaceAll(/./gs, escapeUnit)}"`,
  );
}

/** Conforming deployments that write their JSON in another way, or more of it. */
export const jsonDeployments: readonly Deployment[] = deployments({
  'prints JSON in lines, with white space around it': changeText(
    (json) => `\r\n\t ${json.replaceAll(/([{[,])(?=")/g, '$1\n    ').replaceAll(/":/g, '" : ')} \n\n`,
  ),
  'escapes every character of its strings': changeText(escapeStrings),
  'escapes slashes and what is not ASCII': changeText((json) =>
    json
      .replaceAll('/', '\\/')
      .replaceAll(/[\u0080-\uffff]/g, (unit) => escapeUnit(unit).toUpperCase().replace('U', 'u')),
  ),
  'prints integers with an exponent or with a fraction of zero': printIntegers(printUnusually),
  'has more fields in its animals and errors, in another order': changeObjects((object) =>
    Object.fromEntries(
      Object.entries({
        ...('message' in object ? { type: 'about:blank', id: 1n, name: 'x' } : { Status: 'lost' }),
        createdAt: '2030-01-01T00:00:00Z',
        tags: [],
        weight: 1.5,
        huge: 123_456_789_012_345_678_901_234_567_890n,
        owner: null,
        category: { id: 'dogs', parent: { id: null } },
        details: [{ field: null }],
        'x-€ "quoted"': true,
        ...object,
      }).toReversed(),
    ),
  ),
  'has errors with an empty message, and codes of digits': change.error((error) => ({
    ...error,
    code: String(error.status),
    message: '',
  })),
  'has errors in another language': change.error(set({ message: 'Так не можна. 🐈' })),
});
