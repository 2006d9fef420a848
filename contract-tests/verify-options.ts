import type { RunLimits } from './client/run-limits.ts';
import type { Result, Traffic } from './runner/report.ts';

/**
 * Options of `verifyDeployment`, with the names that the command has for them. `verifyOptions` has a row for each. This file
 * imports no schema, because its types reach users, who do not install valibot.
 */
export interface VerifyOptions extends RunLimits {
  /** Base URL of the deployment, such as `https://staging.example/v1`. */
  readonly baseUrl: string;
  /** API key that the deployment accepts, without "Bearer" before it. */
  readonly apiKey: string;
  /**
   * Lets the suite add up to 80 animals, which cannot be deleted. With false the suite sends no POST,
   * and the verdict is at most `conforms in part`. There is no default, since a tunnel on loopback may lead anywhere.
   */
  readonly allowWrites: boolean;
  /**
   * Clauses to test: their ids, or the starts of their ids. The run sends only the requests that they need.
   * @default all clauses
   */
  readonly only?: readonly string[];
  /** Category without animals, an int64, for a deployment that refuses unknown categories. */
  readonly categoryId?: bigint | number;
  /** Path of a file of known failures, as `--known` takes it: they do not fail the run. */
  readonly known?: string;
  /** Path of a file of certificates in PEM to trust in addition to the usual ones. */
  readonly ca?: string;
  /** Path of the client's certificate in PEM, for mutual TLS. */
  readonly clientCert?: string;
  /** Path of the key of the client's certificate, in PEM. */
  readonly clientKey?: string;
  /** Passphrase of the key. */
  readonly clientPassphrase?: string;
  /** Ends the run. The report has the results so far. */
  readonly signal?: AbortSignal;
  /** Called with the result of each clause once the run has sent everything, and with the traffic of the run. */
  readonly onResult?: (result: Result, traffic: Traffic) => void;
}
