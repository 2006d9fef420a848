import { useRead } from '../app/poll.ts';
import { html, type View } from '../parts/parts.ts';

/** Table of the parts of the contract, each with the number of its exchanges. */
export function Coverage(): View {
  const counts = Object.entries(useRead<Readonly<Record<string, number>>>('coverage') ?? {});
  const seen = counts.filter(([, count]) => count > 0).length;
  const rows = counts.map(
    ([part, count]) => html`<tr>
      <th scope="row"><code>${part}</code></th>
      <td>${count === 0 ? html`<span class="warn">! not reached</span>` : html`<span class="pass">✓</span> ${count.toLocaleString()}`}</td></tr>`,
  );
  return html`<div class="page">
    <h2>Parts of the contract that your traffic reached</h2>
    <p>${seen} of ${counts.length}. Operations, their statuses, parameters, values and optional members.</p>
    <table><thead><tr><th scope="col">part</th><th scope="col">exchanges</th></tr></thead><tbody>${rows}</tbody></table>
  </div>`;
}
