/** What of a violation leads to its rule; `status` is that of the answer. */
interface Broken {
  readonly operation?: string;
  readonly place: string;
  readonly rule: string;
  readonly status?: number;
}

/** A line of YAML that has a name or begins an element of a list, and those within it. */
interface Part {
  readonly key: string;
  readonly value: string;
  readonly isElement: boolean;
  /** From 0 on. */
  readonly line: number;
  readonly indent: number;
  readonly parts: Part[];
}

/** Where the contract has the rule that a violation breaks, or as near to it as the contract says something. */
export interface Rule {
  /** Such as `/pets`, `get`, `parameters`, `limit`. */
  readonly path: readonly string[];
  /** The number of its line, from 1 on. */
  readonly line: number;
}

/** Finds the rule in a contract that is written in blocks, one name a line. @returns undefined without an operation. */
export function findRule(contract: string, violation: Broken): Rule | undefined {
  const root = readParts(contract);
  const { operation, place, rule, status } = violation;
  const [side, part = '', ...members] = place.split('.');
  const start = findOperation(root, operation);
  if (start === undefined) return undefined;
  let { at, path } = start;
  /** Goes on to what has this name, if it is there. */
  const go = (key: string): boolean => {
    const whole = follow(root, at);
    const next = findPart(whole, key);
    if (next === undefined) return false;
    path = [...path, ...(whole === at ? [] : [whole.key]), nameOf(next)];
    at = next;
    return true;
  };
  const goToRule = () => go(rule) || (/^(?:minimum|maximum)$/.test(rule) && go('format'));
  const goToMember = (member: string, isLast: boolean) => {
    if (isLast && rule === 'required') return go('required') && go(member);
    return /^(?:\d+|\*)$/.test(member) ? go('items') : go('properties') && go(member);
  };
  const goIntoBody = () =>
    go('content') &&
    go('application/json') &&
    go('schema') &&
    members.every((member, index) => goToMember(member, index === members.length - 1)) &&
    goToRule();
  if (side === 'response') go('responses') && go(String(status)) && part === 'body' && goIntoBody();
  else if (part === 'body') go('requestBody') && goIntoBody();
  else if (part !== '') go('parameters') && go(members.join('.')) && go('schema') && goToRule();
  else if (rule === '401') go('security');
  else go('requestBody') && go(rule === '415' ? 'content' : rule);
  return { path, line: at.line + 1 };
}

/** Reads lines of YAML; of a text over several lines the first alone. */
function readParts(yaml: string): Part {
  const root: Part = { key: '', value: '', isElement: false, line: 0, indent: -1, parts: [] };
  const open = [root];
  for (const [line, text] of yaml.split('\n').entries()) {
    let rest = text.trimStart();
    let indent = text.length - rest.length;
    if (rest === '' || rest.startsWith('#')) continue;
    while ((open.at(-1) as Part).indent >= indent) open.pop();
    const add = (key: string, value: string, isElement = false) => {
      const part: Part = { key, value, isElement, line, indent, parts: [] };
      (open.at(-1) as Part).parts.push(part);
      open.push(part);
    };
    if (/^[>|]/.test((open.at(-1) as Part).value)) continue;
    while (rest.startsWith('- ')) {
      rest = rest.slice(2);
      add(String((open.at(-1) as Part).parts.length), rest, true);
      indent += 2;
    }
    const [, quoted, key = quoted, value = ''] = /^(?:'([^']*)'|([^\s:]+)):(?: (.*))?$/.exec(rest) ?? [];
    if (key !== undefined) add(key, value);
  }
  return root;
}

/** The part with this name, or the element that is it, or whose `name` is it; Prism tells names of a path in lower case. */
function findPart({ parts }: Part, key: string): Part | undefined {
  return (
    parts.find((part) => nameOf(part) === key) ??
    parts.find((part) => nameOf(part).toLowerCase() === key.toLowerCase())
  );
}

function nameOf({ key, value, isElement, parts }: Part): string {
  if (!isElement) return key;
  return parts.find((part) => part.key === 'name')?.value ?? value;
}

/** What is meant where the contract refers to something. */
function follow(root: Part, part: Part): Part {
  const reference = part.parts.find(({ key }) => key === '$ref')?.value;
  if (reference === undefined) return part;
  const keys = reference.replaceAll("'", '').split('/').slice(1);
  const meant = keys.reduce<Part | undefined>((parent, key) => parent && findPart(parent, key), root);
  return meant === undefined ? part : follow(root, meant);
}

function findOperation(root: Part, operation: string | undefined) {
  for (const path of findPart(root, 'paths')?.parts ?? []) {
    const at = path.parts.find(
      ({ parts }) => findPart({ ...path, parts }, 'operationId')?.value === operation,
    );
    if (at !== undefined) return { at, path: [path.key, at.key] as readonly string[] };
  }
  return undefined;
}
