import { http } from 'msw/http';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFileMock } from '../../tools/testing/start-test-mock.ts';
import { createBrowserMock } from '../browser/create-browser-mock.ts';
import type { Control } from '../session/control.ts';
import type { EffectName } from './fault-effects.ts';
import type { FaultOptions } from './fault-options.ts';

interface Trial {
  readonly fault: FaultOptions;
  /** What an app receives from a POST of an animal: a status, and the body or how the body ended. */
  readonly received: string;
  /** True if the animal is stored. */
  readonly isStored: boolean;
  /** The request in the journal. */
  readonly recorded: { readonly status: number | undefined; readonly error: string | undefined };
}

const rex = '{"name":"Rex","categoryId":1}';
const stored = '{"id":1,"name":"Rex","categoryId":1}';
const half = stored.slice(0, stored.length / 2);

/** What a user notices of each effect. */
const trials: Readonly<Record<EffectName, Trial>> = {
  delay: {
    fault: { delay: 1 },
    received: `201 ${stored}`,
    isStored: true,
    recorded: { status: 201, error: undefined },
  },
  hold: {
    fault: { hold: true },
    received: `201 ${stored}`,
    isStored: true,
    recorded: { status: 201, error: undefined },
  },
  status: {
    fault: { status: 503 },
    received: '503 {"code":"service_unavailable","message":"Simulated failure: 503","status":503}',
    isStored: false,
    recorded: { status: 503, error: 'service_unavailable' },
  },
  message: {
    fault: { status: 500, message: 'Closed.' },
    received: '500 {"code":"internal_error","message":"Closed.","status":500}',
    isStored: false,
    recorded: { status: 500, error: 'internal_error' },
  },
  response: {
    fault: { response: { body: { id: 7 } } },
    received: '201 {"id":7}',
    isStored: false,
    recorded: { status: 201, error: 'response_replaced' },
  },
  drop: {
    fault: { drop: true },
    received: 'no response',
    isStored: false,
    recorded: { status: undefined, error: 'connection_reset' },
  },
  truncate: {
    fault: { truncate: true },
    received: `201 ${half} of ${stored.length} bytes, then an error`,
    isStored: true,
    recorded: { status: 201, error: 'response_truncated' },
  },
  after: {
    fault: { after: 'drop' },
    received: 'no response',
    isStored: true,
    recorded: { status: undefined, error: 'response_lost' },
  },
};

const mock = await startFileMock({ profile: 'empty' });

/** Posts an animal as an app does, and describes what it receives. */
async function post(url: string, key = 'test-key'): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/pets`, { method: 'POST', headers, body: rex }).catch(() => undefined);
  if (response === undefined) return 'no response';
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read())
      text += part.value;
    return `${response.status} ${text}`;
  } catch {
    return `${response.status} ${text} of ${response.headers.get('content-length')} bytes, then an error`;
  }
}

const rows = Object.entries(trials);

/** Posts an animal, and releases the fault as soon as it holds the request. */
async function postUntilReleased(url: string, { faults }: Pick<Control, 'faults'>): Promise<string> {
  const received = post(url);
  const [fault] = faults.list();
  if (fault?.hold === undefined) return received;
  await expect.poll(() => faults.list()[0]?.held).toBe(1);
  faults.release(fault.id);
  return received;
}

test.for(rows)('over HTTP: %s', async ([, { fault, received, isStored, recorded }]) => {
  mock.reset();
  mock.faults.add({ operation: 'createPet', ...fault, times: 1 });
  expect(await postUntilReleased(mock.url, mock)).toBe(received);
  expect(mock.animals.size).toBe(isStored ? 1 : 0);
  expect(mock.requests()).toMatchObject([{ operation: 'createPet', body: rex, ...recorded }]);
  expect(await post(mock.url)).toMatch(/^201 /);
});

describe('with MSW', () => {
  const page = createBrowserMock(http, { data: [] }, 'https://api.example/v1');
  const server = setupServer(...page.handlers);
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  test.for(rows)('in a page: %s', async ([, { fault, received, isStored, recorded }]) => {
    page.reset();
    page.faults.add({ operation: 'createPet', ...fault, times: 1 });
    expect(await postUntilReleased('https://api.example/v1', page)).toBe(received);
    expect(page.animals.size).toBe(isStored ? 1 : 0);
    expect(page.requests()).toMatchObject([{ operation: 'createPet', ...recorded }]);
  });
});
