import { type Damage, owed, unowed } from './damage.ts';
import { inheritedNames } from './damage-to-target.ts';
import { animal, chunkedAnimal, printFramedPost, printGet, printLawful, printPost } from './print-request.ts';
import type { Random } from './random.ts';

const lines = [
  'no colon',
  ': no name',
  'bad name: x',
  'bad\tname: x',
  'name : x',
  'n\xe4me: x',
  '(name): x',
  ' folded',
  '\tfolded',
  'X: a\r\n folded',
  'X: a\rb',
  'X: a\nb',
  'X: a\n\n',
  '',
  '\0',
];

const upgrades = ['websocket', 'h2c', 'TLS/1.0', 'foo', '', ', ,', 'websocket, h2c'];

const expectations = ['100-continue', '100-CONTINUE', 'miracles', '', '100-continue, 100-continue', '\xff'];

const authorizations = [
  '',
  'Bearer',
  'Bearer ',
  'Basic eDp5',
  'Bearer \xff',
  'bearer  test-key',
  'Bearer a,Bearer b',
];

const hosts = ['', 'x, y', '[::1', 'x:99999', 'x/y', 'a@b', '\xff', 'x:y:z', ' '];

const connections = [
  'content-length',
  'transfer-encoding',
  'host, authorization',
  'content-type',
  'close, keep-alive',
  'upgrade',
  '__proto__',
  ',,,',
  '\xff',
  'keep-alive, connection',
];

const NEITHER_NUL_NOR_LINE_END = /[\0\r\n]/g;

function printValue(random: Random): string {
  return random.bytes(random.below(60)).replaceAll(NEITHER_NUL_NOR_LINE_END, 'x');
}

/** What can be wrong in the headers of a request. */
export const damageToHeaders: Readonly<Record<string, Damage>> = {
  'bad header line': owed((random) => printGet('/v1/pets', random.pick(lines), 'Y: z')),
  'control byte in a header': owed((random) =>
    printGet('/v1/pets', `X: a${random.pick(['\0', '\x01', '\x7f', '\x1b', '\x0b'])}b`),
  ),
  'random header': owed((random) => printGet('/v1/pets', `X: ${printValue(random)}`)),
  'random header name': owed((random) => printGet('/v1/pets', `${random.bytes(5)}: x`)),
  'large header': owed((random) => printGet('/v1/pets', `X: ${'y'.repeat(8_000 + random.below(100_000))}`)),
  'many headers': owed((random) => {
    const name = random.pick(['a', 'Accept', 'Cookie', 'Host', 'Content-Type', '__proto__']);
    return printGet('/v1/pets', ...Array.from({ length: random.below(4_500) }, () => `${name}:`));
  }),
  'inherited names in headers': owed((random) =>
    printPost(animal, ...inheritedNames.map((name) => `${name}: ${random.pick(inheritedNames)}`)),
  ),
  'bare line feeds': owed((random) => printLawful(random).replaceAll('\r\n', '\n')),
  upgrade: owed((random) =>
    printGet('/v1/pets', 'Connection: Upgrade', `Upgrade: ${random.pick(upgrades)}`, 'HTTP2-Settings: AA'),
  ),
  'upgrade with a body': owed((random) =>
    printPost(animal, 'Connection: Upgrade', `Upgrade: ${random.pick(upgrades)}`),
  ),
  Expect: owed((random) => printPost(animal, `Expect: ${random.pick(expectations)}`)),
  'Expect without a body': owed((random) => printGet('/v1/pets', `Expect: ${random.pick(expectations)}`)),
  'bad Authorization': owed((random) =>
    printGet('/v1/pets').replace(/Authorization.*/, `Authorization: ${random.pick(authorizations)}`),
  ),
  'bad Host': owed((random) => printGet('/v1/pets').replace('Host: x', `Host: ${random.pick(hosts)}`)),
  'two Hosts': owed(() => printGet('/v1/pets', 'Host: y')),
  'no Host': owed(() => printGet('/v1/pets').replace('Host: x\r\n', '')),
  'HTTP/1.0': owed((random) => printLawful(random).replace('HTTP/1.1', 'HTTP/1.0')),
  'Connection names a header': owed((random) =>
    random.isChance(0.5)
      ? printPost(animal, `Connection: ${random.pick(connections)}`)
      : printFramedPost(
          chunkedAnimal,
          'Transfer-Encoding: chunked',
          `Connection: ${random.pick(connections)}`,
        ),
  ),
  'GET with a body': owed((random) => {
    const connection = `Connection: ${random.pick(connections)}`;
    return `${printGet('/v1/pets', `Content-Length: ${animal.length}`, connection)}${animal}`;
  }),
  'cut head': unowed((random) => {
    const whole = printLawful(random);
    return whole.slice(0, random.below(whole.indexOf('\r\n\r\n') + 3));
  }),
};
