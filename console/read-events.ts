/** A server-sent event. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events until they end. `EventSource` could send no token. Source: HTML standard, Server-sent events */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  take: (events: readonly ServerSentEvent[]) => void,
): Promise<void> {
  const chunks = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await chunks.read();
    if (done) return;
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    take(blocks.flatMap(readBlock));
  }
}

function readBlock(block: string): ServerSentEvent[] {
  const [, event = ''] = /^event: (.*)$/m.exec(block) ?? [];
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? [];
  return event === '' ? [] : [{ event, data }];
}
