import { createHash } from 'node:crypto';
import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import { hideAndCut, type Secrets } from './hide-keys.ts';

/** The longest text that is kept as it is, in characters, and how much of a longer one is. */
const [LONGEST_TEXT, BEGINNING] = [200, 100];

/** Puts a digest in place of each long text of a list, its objects, or an object: the same for the same text alone, and without keys. */
export function digestTexts(value: ExactJson, secrets: Secrets): ExactJson {
  const digest = (element: ExactJson) => digestElement(element, secrets);
  return Array.isArray(value) ? value.map(digest) : digest(value);
}

function digestElement(value: ExactJson, secrets: Secrets): ExactJson {
  if (!isJsonObject(value)) return digestMember(value, secrets);
  const members = Object.entries(value);
  if (!members.some(([, member]) => isLong(member))) return value;
  return Object.fromEntries(members.map(([name, member]) => [name, digestMember(member, secrets)]));
}

function isLong(member: ExactJson): member is string {
  return typeof member === 'string' && member.length > LONGEST_TEXT;
}

function digestMember(member: ExactJson, secrets: Secrets): ExactJson {
  if (!isLong(member)) return member;
  const digest = createHash('sha256').update(member, 'utf16le').digest('hex').slice(0, 32);
  // Copied, since a part of a text keeps all of it in memory.
  const beginning = Buffer.from(hideAndCut(member, BEGINNING, secrets), 'utf16le').toString('utf16le');
  return `${beginning}… (${member.length} characters, SHA-256 ${digest}…)`;
}
