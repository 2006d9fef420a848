import { StartError } from '../../common/usage-error.ts';

/** What is wrong with a HAR file, to be read after its name. */
export class HarError extends StartError {
  override readonly name = 'HarError';
  override readonly exitCode = 2;
}
