import { refresh, type Violation } from './data.ts';
import { findRule, type Rule } from './find-rule.ts';
import { html, type View } from './html.ts';

/** How many lines are shown before the one with the rule, and after it. */
const [BEFORE, AFTER] = [4, 2];

let contract: string | undefined;
let isAsked = false;

/** Where the reference is not there, rules are shown without their lines. */
async function readContract(): Promise<void> {
  isAsked = true;
  const response = await fetch('docs/openapi.yaml').catch(() => undefined);
  if (!response?.ok) return;
  contract = await response.text();
  refresh();
}

const found = new WeakMap<Violation, Rule | undefined>();

/** The lines of the contract with the rule that a violation breaks. */
export function BrokenRule({ violation }: { readonly violation: Violation }): View {
  if (contract === undefined) {
    if (!isAsked) void readContract();
    return undefined;
  }
  const rule = found.has(violation) ? found.get(violation) : findRule(contract, violation);
  found.set(violation, rule);
  if (rule === undefined) return undefined;
  const first = Math.max(0, rule.line - 1 - BEFORE);
  const lines = contract.split('\n').slice(first, rule.line + AFTER);
  const indent = Math.min(...lines.filter(Boolean).map((line) => line.search(/\S/)));
  return html`<details class="rule"><summary class="muted">openapi.yaml, line ${rule.line}</summary>
    <p class="muted">${rule.path.join(' › ')}</p>
    <pre>${lines.map((line, index) => {
      const number = first + index + 1;
      const text = `${String(number).padStart(3)}  ${line.slice(indent)}`;
      return html`${number === rule.line ? html`<mark>${text}</mark>` : text}${'\n'}`;
    })}</pre></details>`;
}
