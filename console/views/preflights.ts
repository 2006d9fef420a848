import { computed } from '@preact/signals';
import { ask } from '../app/ask.ts';
import { readers } from '../app/poll.ts';
import type { Preflight } from '../app/store.ts';
import * as store from '../app/store.ts';
import { describeCount, html, shown, Time, type View } from '../parts/parts.ts';

// A proxy forwards preflights, and does not keep them.
if (!store.isProxy)
  readers.requests = async () => {
    store.preflights.value = await ask('GET', 'preflights');
  };

/** Preflights that are not cleared on the page. */
export const shownPreflights = computed(() =>
  store.preflights.value.filter(({ id }) => id > store.clearedPreflightsTo.value),
);

/** Shows the preflights of browsers apart from the requests, and why no request may have followed. */
export function Preflights(): View {
  const list = shownPreflights.value.toReversed();
  const alone = list.filter(({ hint }) => hint !== undefined);
  const [latest] = alone;
  if (list.length === 0) return null;
  const missing = alone.length > 0 && `, ${alone.length.toLocaleString()} without a request`;
  return html`<section aria-label="Preflights" class="preflights">
    ${latest && html`<p class="warn">! ${shown(describeRefusal(latest))}</p>`}
    <details>
      <summary>${describeCount(list.length, 'CORS preflight')}${missing}</summary>
      <ol class="lines">${list.map((one) => html`<${PreflightLine} key=${one.id} preflight=${one} />`)}</ol>
    </details>
  </section>`;
}

/** Without a full stop, which would be copied with the origin at the end. */
function describeRefusal({ method, url, origin, hint }: Preflight): string {
  return `Preflight of ${method} ${url} from ${origin}: ${hint}`;
}

function PreflightLine({ preflight }: { readonly preflight: Preflight }): View {
  const { method, url, origin, isFollowed, hint, time } = preflight;
  const outcome = isFollowed ? 'request followed' : hint && 'no request followed';
  return html`<li><code>${shown(method)}</code><code>${shown(url)}</code><span>from ${shown(origin)}</span><span>${outcome}</span><${Time} time=${time} /></li>`;
}
