import { namedBehaviours, printDifference } from '../../mock/choices/behaviours.ts';
import { ask } from '../app/ask.ts';
import { attempt } from '../app/notices.ts';
import { fixedTime, server } from '../app/store.ts';
import { type FieldEvent, html, type View } from '../parts/parts.ts';

export function StoreState(): View {
  return html`<div class="page">
    <section><h2>Set the clock</h2><${Clock} /></section>
    <section><h2>Change the behaviour</h2><${Choices} /></section>
  </div>`;
}

const configure = (changes: object): Promise<void> => attempt(() => ask('PATCH', 'settings', changes));

function Clock(): View {
  const now = fixedTime.value ?? new Date().toISOString();
  const set = ({ currentTarget: { value } }: FieldEvent) => value !== '' && configure({ now: value });
  return html`<p>${fixedTime.value === undefined ? 'Real time' : `Fixed at ${now.slice(0, 19).replace('T', ' ')} UTC`}</p>
    <div class="fields">
      <button type="button" onClick=${() => configure({ now: new Date().toISOString() })}>Freeze</button>
      <button type="button" onClick=${() => configure({ now: null })}>Real time</button>
      <label><span>Date of the mock</span><input type="date" value=${now.slice(0, 10)} onChange=${set} /></label>
    </div>`;
}

function Choices(): View {
  const names = Object.keys(namedBehaviours).map(
    (name) => html`<button type="button" onClick=${() => configure({ behaviour: name })}>${name}</button>`,
  );
  const difference = printDifference(server.value?.settings?.behaviour ?? {});
  return html`<p>The specification leaves these choices to each deployment. Differs from the default:
      ${' '}${difference.join(', ') || 'nothing'}</p>
    <div class="fields">${names}</div>`;
}
