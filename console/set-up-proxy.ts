import { quoteForShell } from '../common/print-curl.ts';
import { state } from './data.ts';
import { html, type View } from './html.ts';
import { Code } from './parts.ts';
import { FirstLines } from './set-up.ts';

/** How an app and its tests are pointed at the proxy before a deployment: lines to copy. */
export function SetUpProxy(): View {
  const upstream = state.server?.upstream ?? '';
  return html`<div class="page">
    <h2>Point your app at the proxy</h2>
    <p>What it sends goes on to <code>${upstream}</code> as it is, and stands in <a href="#/requests">Requests</a> with what the contract does not allow in it.</p>
    <${FirstLines} label="API key of the deployment, for the lines below and to send again; it stays in this tab" />
    <${Code} label="In CI: the tests fail where the contract is broken" text=${`npx animal-store-proxy ${quoteForShell(upstream)} --fail-on error -- npm test`} />
    <${Code} label="In a test" text=${`import { startCheckedProxy } from 'animal-store-proxy';

const proxy = await startCheckedProxy({ upstream: ${JSON.stringify(upstream)}, port: 0 });
// proxy.url is the base URL
const { violations } = proxy.readFindings();
await proxy.close();`} />
  </div>`;
}
