import { quoteForShell } from '../common/print-curl.ts';
import { ask } from './ask.ts';
import { base, baseUrl, noKey, refresh, server, state, usualKey, type Verification } from './data.ts';
import { html, type View } from './html.ts';
import { recall, remember } from './memory.ts';
import { attempt } from './notice.ts';
import { Code, Field, shown, Time } from './parts.ts';
import type { Route } from './route.ts';

interface Verdict {
  readonly id: string;
  readonly heading: string;
  readonly sentence: string;
  readonly level: 'required' | 'advised';
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  readonly reason?: string;
}

/** The verdicts of the run that is open, and which they are. */
let read: { readonly verdicts: readonly Verdict[]; readonly of: string } = { verdicts: [], of: '' };
let isReading = false;

/** Reads the verdicts again when there are more. */
async function readVerdicts({ id, counts, conclusion = '' }: Verification): Promise<void> {
  const of = `${state.connections} ${id} ${Object.values(counts)} ${conclusion}`;
  if (read.of === of || isReading) return;
  isReading = true;
  // What has failed is not asked for again until there is more.
  read = { ...read, of };
  await attempt(async () => {
    read = { verdicts: (await ask('GET', `verifications/${id}`)).verdicts, of };
  });
  isReading = false;
  refresh();
}

/** Runs the contract suite against this mock, or another deployment, and shows what it finds as it finds it. */
export function Verify({ route }: { readonly route: Route }): View {
  const runs = (state.server?.verifications ?? []).toReversed();
  const open = runs.find(({ id }) => String(id) === route.id);
  if (open !== undefined) void readVerdicts(open);
  return html`<div class="page columns">
    <section>
    <h2>Does a deployment conform?</h2>
    <form class="fields" onSubmit=${start}>
      <${Field} name="verify.url" label="Base URL" otherwise=${target()} size="36" onChange=${forgetWrites} />
      <${Field} name="key" label="API key" otherwise=${usualKey} size="12" />
      <${Field} name="verify.writes" label="It may" options=${[['', 'only read'], ['yes', 'add about 60 animals']]} />
      <button class="primary">Run the suite</button>
    </form>
    ${runs.length > 0 && html`<ul class="lines">${runs.map((run) => html`<${Run} key=${run.id} run=${run} isOpen=${run === open} />`)}</ul>`}
    </section>
    <section>
    ${open !== undefined ? html`<${Verdicts} run=${open} />` : route.id !== '' && html`<p class="empty">Run ${shown(route.id)} is not here: the ${server} keeps the latest ones, until it ends.</p>`}
    <details open=${open === undefined}><summary>From a terminal, or in CI</summary><${Lines} /></details>
    </section>
  </div>`;
}

/** What is verified when nothing is said. */
function target(): string {
  return state.server?.upstream ?? baseUrl;
}

let isStarting = false;

async function start(event: Event): Promise<void> {
  event.preventDefault();
  // A double click is one.
  if (isStarting) return;
  isStarting = true;
  const key = recall('key', usualKey);
  await attempt(async () => {
    const { id } = await ask('POST', 'verifications', {
      baseUrl: recall('verify.url', target()),
      // Nothing typed is the key that the server knows, for its own deployment.
      apiKey: key === noKey ? undefined : key,
      allowWrites: recall('verify.writes') === 'yes',
    });
    forgetWrites();
    location.hash = `#/verify/${id}`;
  });
  isStarting = false;
}

/** To add animals is allowed for one run, and for the deployment that was meant. */
function forgetWrites(): void {
  remember('verify.writes', undefined);
}

function Run({ run, isOpen }: { readonly run: Verification; readonly isOpen: boolean }): View {
  const { id, conclusion, counts, requests, startedAt } = run;
  const [kind, mark] = describeConclusion(conclusion);
  const report = `${base}__admin/verifications/${id}/report`;
  const openReport = (event: Event) => {
    if (recall('token') === '') return;
    // A page that is opened sends no token.
    event.preventDefault();
    void attempt(async () => {
      const { ticket } = await ask('POST', `verifications/${id}/report`);
      window.open(`${report}?ticket=${ticket}`, '_blank', 'noreferrer');
    });
  };
  return html`<li>
    <a data-row=${id} href=${`#/verify/${id}`} aria-current=${isOpen ? 'true' : undefined} class=${kind}>${mark} ${conclusion === 'stopped' ? 'stopped before its end' : shown(conclusion ?? 'running')}</a>
    <code>${shown(run.baseUrl)}</code>
    <span class="muted">${counts.passed} passed, ${counts.failed + counts.error} failed, ${counts.skipped} skipped, ${requests} requests, <${Time} time=${startedAt} /></span>
    ${
      conclusion === undefined
        ? html`<button type="button" onClick=${() => attempt(() => ask('DELETE', `verifications/${id}`))}>Stop</button>`
        : // A run that tried nothing has no report.
          Object.values(counts).some(Boolean) &&
          html`<a href=${report} target="_blank" rel="noreferrer" onClick=${openReport}>Report</a>`
    }
  </li>`;
}

function describeConclusion(conclusion = 'running'): readonly [kind: string, mark: string] {
  if (conclusion === 'running') return ['muted', '…'];
  if (conclusion === 'stopped') return ['muted', '■'];
  if (conclusion.startsWith('conforms')) return ['pass', '✓'];
  return conclusion.startsWith('does not') ? ['fail', '✗'] : ['warn', '!'];
}

function Verdicts({ run: { counts } }: { readonly run: Verification }): View {
  const of = (...kinds: readonly string[]) => read.verdicts.filter(({ verdict }) => kinds.includes(verdict));
  return html`<section aria-label="Verdicts">
    ${of('failed', 'error').map(
      (one) => html`<div class="finding"><p class="muted">${one.heading}</p>
        <h3><span class=${one.level === 'advised' ? 'warn' : 'fail'}>${one.level === 'advised' ? '! advised' : '✗'}</span> ${one.sentence}</h3>
        <p>${shown(one.reason ?? '')}</p><code class="muted">${one.id}</code></div>`,
    )}
    <${Fold} label=${`${counts.skipped} skipped`} verdicts=${of('skipped')} />
    <${Fold} label=${`${counts.passed} passed`} verdicts=${of('passed')} />
  </section>`;
}

function Fold({ label, verdicts }: { readonly label: string; readonly verdicts: readonly Verdict[] }): View {
  return (
    verdicts.length > 0 &&
    html`<details><summary>${label}</summary><ul>${verdicts.map(
      ({ sentence, reason }) =>
        html`<li>${sentence}${reason && html` <span class="muted">${shown(reason)}</span>`}</li>`,
    )}</ul></details>`
  );
}

/** How the same is run elsewhere. */
function Lines(): View {
  const env = `ANIMAL_STORE_API_KEY=${quoteForShell(recall('key', usualKey))}`;
  const url = quoteForShell(recall('verify.url', target()));
  return html`
    <${Code} label="Install it once" text="npm install --save-dev animal-store-contract-tests" />
    <${Code} label="Run it" text=${`${env} npx animal-store-verify ${url}`} />
    <${Code} label="With a page to look at" text=${`${env} npx animal-store-verify ${url} --reporter html=report.html`} />
    <${Code} label="In a checkout of this project" text=${`${env} npm run verify -- ${url}`} />
    <p class="muted">The command adds animals only with --allow-writes. Exit code 0: it conforms, perhaps in part; 1: it does not; 2: no verdict.</p>`;
}
