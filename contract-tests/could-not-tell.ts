/** Why nothing could be told of a deployment; the message is one sentence. */
export class CouldNotTell extends Error {
  override readonly name = 'CouldNotTell';
}
