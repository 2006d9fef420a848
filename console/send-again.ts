import { Body } from './body.ts';
import { isProxy, noKey, type Row, usualKey } from './data.ts';
import { html, type View } from './html.ts';
import { recall } from './memory.ts';
import { attempt, tell } from './notice.ts';
import { Code } from './parts.ts';
import { findHidden, findObstacle, printAsCurl, printAsFetch, toRequest } from './print-request.ts';

/** What was answered when a request was sent again. */
let again: { readonly id: number; readonly status: number; readonly text: string } | undefined;

/** A button that sends a request again, where all of it is known. */
export function SendAgain({ row }: { readonly row: Row }): View {
  const why = findHidden(row) ?? findObstacle(row);
  const press = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    needsKey(row) ? askForKey(currentTarget) : sendAgain(row);
  return html`<button type="button" disabled=${why !== undefined} onClick=${press}>Send again${why && `: ${why}`}</button>
    ${isProxy && why === undefined && html`<span class="muted">counts as a request of the app</span>`}`;
}

/** What it was answered with, if it was. */
export function SentAgain({ row: { id } }: { readonly row: Row }): View {
  if (again?.id !== id) return undefined;
  return html`<h3>Sent again</h3><${Body} text=${again.text} label=${`Answer ${again.status}`} violations=${[]} side="response" />`;
}

/** Lines to copy that send it. */
export function SendLines({ row }: { readonly row: Row }): View {
  const key = recall('key', usualKey);
  const why = findHidden(row);
  const isBody = why?.startsWith('the body');
  const label =
    why === undefined ? '' : isBody ? ` — ${why}: put it into the file "body"` : ` — ${why}: put it in`;
  return html`<h3>To send it yourself</h3>
    <${Code} label=${`curl${label}`} text=${printAsCurl(row, key)} />
    ${!isBody && findObstacle(row) === undefined && html`<${Code} label=${`fetch${label}`} text=${printAsFetch(row, key)} />`}`;
}

/** Whether its key is to be sent, and nobody has typed it. */
function needsKey(row: Row): boolean {
  const key = recall('key', usualKey);
  const isUnknown = key === noKey || (key === '' && usualKey === noKey);
  return isUnknown && Object.values(row.headers).some((value) => value.includes('[key]'));
}

function askForKey(button: HTMLElement): void {
  const field = button.closest('.actions')?.querySelector<HTMLInputElement>('[name=key]');
  field?.focus();
  field?.select();
  tell({ text: `Type the key of the ${isProxy ? 'deployment' : 'mock'}, then send it again.` });
}

async function sendAgain(row: Row): Promise<void> {
  const { url, body, ...init } = toRequest(row, recall('key', usualKey));
  // A browser gives a text a Content-Type, and a blob none.
  const sent = body === undefined ? init : { ...init, body: new Blob([body]) };
  await attempt(async () => {
    const response = await fetch(url, { ...sent, credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(
      () => {
        throw new Error('It was not answered, or a browser cannot send it. The line for curl can.');
      },
    );
    again = { id: row.id, status: response.status, text: await response.text() };
    tell({ text: `Sent again: ${response.status}` });
  });
}
