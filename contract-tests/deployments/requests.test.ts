import { expect, test } from 'vitest';
import { runSuite } from '../runner/run.ts';
import { createTarget, withoutDredd } from '../testing/run-suite.ts';
import type { Answer } from './deployment.ts';
import type { DeployedRequest } from './messages.ts';
import { askDeployment } from './run-deployment.ts';

/** Patterns with white space between. */
function patterns({ raw }: TemplateStringsArray): RegExp[] {
  const sources = raw.join('').trim().split(/\s+/);
  return sources.map((source) => new RegExp(source, 'mu'));
}

const invalidKeys = patterns`
  ^Bearer\x20test-key\w$ ^Bearer\x20test-key\x20x$ ^Bearer\x20test-key,x$ ^Bearer\x20x\x20test-key$
  ^Bearer\x20\S+test-key$ ^Bearer\x20test-ke$ ^Bearer\x20TEST-KEY$ ^Bearer\x20testkey$
  ^Bearer\x20[^t]est-key$ ^Bearer\x20test-ke[^y]$ ^Bearer\x20test[^-]key$
  ^Bearer\x20test-keyÄ ^Bearer\x20test-keÅ`;

const words = patterns`'\x20OR\x20' ^Bearer\x20%$ ^Bearer\x20constructor$ ^Bearer\x20undefined$`;

const otherForms = patterns`
  ^BearerX\x20test-key$ ^Basic\x20test-key$ ^Bearer:\x20test-key$ ^Basic\x20Bearer\x20test-key$ ^Bearertest-key$ ^ApiKey\x20test-key$
  ^Basic\x20Y29udHJhY3QtdGVzdDp0ZXN0LWtleQ==$`;

/**
 * Requests that show one fault each, by the clause that makes them and the mock's reply. Where a clause judges a list of
 * requests in one way, a deployment proves that it sees a fault at one of them; these are the others.
 */
const wanted: Readonly<Record<string, readonly RegExp[]>> = {
  'list-pets/invalid-key 401': [...invalidKeys, ...words],
  'create-pet/invalid-key 401': invalidKeys,
  'get-pet/invalid-key 401': invalidKeys,
  'get-pet/missing-key 401': patterns`
    pets/0\? pets/1\? pets/-1\? pets/2147483648\? pets/9007199254740993\? pets/9223372036854775807\?
    pets/-9223372036854775808\?`,
  'list-pets/bearer-form 401': otherForms,
  'create-pet/bearer-form 401': otherForms,
  'get-pet/bearer-form 401': otherForms,
  'list-pets/limit-default 200': patterns`\?status=available$ \?status=pending$ \?status=sold$`,
  'list-pets/success 200': patterns`\?limit=60$`,
  'list-pets/limit-bounds 200': patterns`\?limit=1$ \?limit=100$`,
  'get-pet/unknown-is-404 404': patterns`pets/0\? pets/-1\? pets/\d{10}\? pets/-?\d{19}\?`,
  'get-pet/non-integer 404': patterns`pets/1\.5\? pets/\d+\.5\? pets/\d+abc\? pets/\d+,2\? pets/-?\d{19,20}\?`,
  'create-pet/text-exact 201': patterns`
    "name":"\x20 \x20", \w\x20{2}\w < <[^>]*> ' \\\\ %41 [^\0-\x7f] [^\0-\xff] ﬁ \\n e\u0301 é
    "available" "pending" "sold" \p{Extended_Pictographic} \p{Cf} "[^"]{256,1999}" "[^"]{2001,}" "007" "1e3" "" "true" "null" "no" "yes" "NaN" "\{\}" "undefined" "constructor" "__proto__" "\d{4}-\d\d-\d\d"
    :0, :3000000000, :9223372036854775807, :-1, :1e2, :120e-1, :\d+\.0,`,
  'create-pet/success 201': patterns`^application/json;\x20charset=utf-8$ \n\n\n\{`,
  'advised/media-type-case 201': patterns`^Application/JSON$`,
  'create-pet/name-required 400': patterns`\{"Name" \{"categoryId":\d+,"status":"available"\}`,
  'create-pet/name-type 400': patterns`"name":1, "name":null "name":\[ "name":true "name":\{\} :\{"toString":1`,
  'create-pet/category-type 400': patterns`
:1\.25\} :9223372036854775808\} :9223372036854775808\.0\} :1e100000000\} :\{"valueOf":1\}
    :"1"\} :""\} :null\} :true\} :\d{100,}\}`,
  'create-pet/status-value 400': patterns`:"lost" :"reserved" :"adopted" :"archived" :"unavailable" :"unknown" :"draft" :"Available" s":null s":"" :"available\x20" s":1\} s":0\} s":false\}`,
  'create-pet/body-required 400': patterns`\n\n(?![^]) \n\[\{ \nnull$ \n\[\]$ \n"\{.*\}"$ \n1$`,
  'create-pet/malformed 400': patterns`
    \nRex$ ,\}$ ' \}\x20Rex$ \}\n\{ \{name :0\d R\nex \d\}\}$ \d$`,
  'advised/chunked-body 201': patterns`"sold"`,
  'advised/strict-json 400': patterns`NaN /\*`,
  'create-pet/key-before-body 401': patterns`\{$ \n\n(?![^]) ^text/plain$ urlencoded$ \[\]$ "name":1\}$`,
  'create-pet/refused-adds-nothing 400': patterns`
    "name":1, "name":null :9223372036854775808, "categoryId":" "name":"[^"]*","status"`,
};

/** Requests with the right key that may be too much, whatever the clause. */
const unusual = patterns`
  "name":null \n\n(?![^]) "nickname" "name":\{ \nnull$ \\u0000" \\u0000.*categoryId \\ud800
  \?limit=abc$ \?limit=0$ \?limit=- \?limit=\d{19,} \?limit=.*limit= \?limit=101$ \?limit=100\.5$ \?contract-test=.*script \?contract-test=.*etc DROP\x20TABLE.*nickname
  \?limit=%00 \?status=%00 \?status=AVAILABLE$ \?status=lost$ \?status=%27 \?status=.*status= \?status%5B%5D= \?status=%EF%BF%BD
  pets/-0\? pets/01\? pets/abc\? pets/%00\? pets/%E0%A4\? pets/9{400}\? pets/9223372036854775808\? pets/-9223372036854775809\?
  charset=unknown urlencoded ^text/plain$ \{\x20{9999} \{\x20{1048577,}\}$ ^POST[^\n]*\n[^\n]*\nundefined`;

const print = ({ method, path, query, headers, body }: DeployedRequest) =>
  `${method} ${path}?${query}\n${headers.authorization}\n${headers['content-type']}\n\n${body}`;

/** Lists the texts of all requests of a run against the mock, by their clause and the status of the reply. */
async function recordRun() {
  const recorded = new Map<string, string[]>();
  let exchanges: (readonly [status: number, text: string])[] = [];
  const behave: Answer = async (request, asMock) => {
    const reply = await asMock(request);
    exchanges.push([reply.status, print(request)]);
    return reply;
  };
  await runSuite(createTarget({ runs: 1, concurrency: 1 }), {
    only: withoutDredd,
    sendRequest: await askDeployment({ createAnswer: () => behave }),
    onResult: ({ clause }) => {
      for (const [status, text] of exchanges) {
        const key = `${clause.id} ${status}`;
        recorded.set(key, [...(recorded.get(key) ?? []), text]);
      }
      exchanges = [];
    },
  });
  return recorded;
}

const recorded = await recordRun();

test.for(Object.entries(wanted))('%s: the suite makes each request', ([key, patterns]) => {
  const texts = recorded.get(key) ?? [];
  expect(patterns.filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
});

test('the suite makes each request that may be too much', () => {
  const texts = [...recorded.values()].flat().filter((text) => text.includes('\nBearer test-key\n'));
  expect(unusual.filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
});
