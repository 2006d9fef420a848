import { type ExactJson, isJsonObject, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import type { Deployment } from '../deployment.ts';
import { changeJson, printJson } from './change-reply.ts';

function createDeployment(name: string, createBehaviour: Deployment['createBehaviour']): Deployment {
  return createBehaviour === undefined ? { name, breaks: [] } : { name, breaks: [], createBehaviour };
}

function changeObjects(value: ExactJson, change: (object: JsonObject) => JsonObject): ExactJson {
  if (Array.isArray(value)) return value.map((member: ExactJson) => changeObjects(member, change));
  return isJsonObject(value) ? change(value) : value;
}

/** Prints each integer anew; no string of the mock's has a number between these marks. */
function printIntegers(value: ExactJson, print: (digits: string) => string): string {
  const marked = changeObjects(value, (object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, member]) => [
        key,
        typeof member === 'bigint' ? `@@${member}@@` : member,
      ]),
    ),
  );
  return printExactJson(marked).replaceAll(/"@@(-?\d+)@@"/g, (_, digits: string) => print(digits));
}

function withoutTrailingZeros(digits: string): string {
  const [, significant = '', zeros = ''] = /^(-?\d*?)(0*)$/.exec(digits) ?? [];
  return significant === '' || significant === '-' ? digits : `${significant}E+${zeros.length}`;
}

function escapeAll(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => {
    const characters = (JSON.parse(text) as string).split('');
    const escapes = characters.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `"${escapes.join('')}"`;
  });
}

const extraFields: JsonObject = {
  createdAt: '2030-01-01T00:00:00Z',
  tags: [],
  weight: 1.5,
  huge: 123_456_789_012_345_678_901_234_567_890n,
  owner: null,
  Status: 'lost',
  category: { id: 'dogs', parent: { id: null } },
  'x-€ "quoted"': true,
};

/** Lawful deployments that write their JSON in another way, or more of it. */
export const jsonDeployments: readonly Deployment[] = [
  createDeployment(
    'prints JSON in lines',
    printJson((value) =>
      printExactJson(value)
        .replaceAll(/([{[,])(?=")/g, '$1\n    ')
        .replaceAll(/":/g, '" : '),
    ),
  ),
  createDeployment(
    'prints JSON with white space around it',
    printJson((value) => `\r\n\t ${printExactJson(value)} \n\n`),
  ),
  createDeployment(
    'escapes every character of its strings',
    printJson((value) => escapeAll(printExactJson(value))),
  ),
  createDeployment(
    'escapes slashes and what is not ASCII',
    printJson((value) =>
      printExactJson(value)
        .replaceAll('/', '\\/')
        .replaceAll(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
    ),
  ),
  createDeployment(
    'prints integers with a fraction of zero',
    printJson((value) => printIntegers(value, (digits) => `${digits}.0`)),
  ),
  createDeployment(
    'prints integers with an exponent',
    printJson((value) => printIntegers(value, withoutTrailingZeros)),
  ),
  createDeployment(
    'has more fields in its animals',
    changeJson((value, status) =>
      status < 400 ? changeObjects(value, (pet) => ({ ...pet, ...extraFields })) : value,
    ),
  ),
  createDeployment(
    'has more fields in its errors',
    changeJson((value, status) =>
      status < 400
        ? value
        : changeObjects(value, (error) => ({
            ...error,
            type: 'about:blank',
            details: [{ field: null }],
            id: 1n,
            name: 'x',
          })),
    ),
  ),
  createDeployment(
    'has its fields in another order',
    changeJson((value) =>
      changeObjects(value, (object) => Object.fromEntries(Object.entries(object).toReversed())),
    ),
  ),
  createDeployment(
    'has errors with an empty message, and codes of digits',
    changeJson((value, status) =>
      status < 400
        ? value
        : changeObjects(value, (error) => ({ ...error, code: String(status), message: '' })),
    ),
  ),
  createDeployment(
    'has errors in another language',
    changeJson((value, status) =>
      status < 400 ? value : changeObjects(value, (error) => ({ ...error, message: 'Так не можна. 🐈' })),
    ),
  ),
];
