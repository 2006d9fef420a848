/** The most JSON values of a message that are read: the values, and not the bytes, are what takes time. */
export const MOST_VALUES = 15_000;

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * The length in bytes of the beginning of a JSON text that holds no more than so many values; of all of it when it holds no
 * more. It takes a millisecond or two for each MiB, whatever the text holds.
 */
export function lengthOfValues(json: Uint8Array, most = MOST_VALUES): number {
  let values = 1;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index];
    if (byte === QUOTE) isString = !isString;
    else if (isString) index += byte === BACKSLASH ? 1 : 0;
    // Every value but the first follows one of these.
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
    if (values > most) return index;
  }
  return json.length;
}

/** Whether a JSON text holds more than 15,000 values. */
export function hasManyValues(json: Uint8Array): boolean {
  return json.length > MOST_VALUES && lengthOfValues(json) < json.length;
}
