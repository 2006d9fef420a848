/** A program that is listening. */
export interface Program {
  /** What it has to say at the start, of whole lines. */
  readonly announcement: string;
  /** @returns the exit code. */
  close(): Promise<number>;
}
