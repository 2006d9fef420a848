/** Limits of a run, and how it connects. */
export interface RunLimits {
  /** Maximum time for a response, in ms. @default 10_000 */
  readonly timeout?: number;
  /** Maximum time of the run in ms. A run that it ends has no verdict, unless a clause has failed. @default 900_000 */
  readonly deadline?: number;
  /** Maximum time until a list has a new animal, in ms. @default 2_000 */
  readonly settle?: number;
  /** Maximum number of open requests. @default 8 */
  readonly concurrency?: number;
  /** Maximum number of requests per second. @default 50; on loopback any number */
  readonly maxRate?: number;
  /** Time to wait until the deployment answers, in ms. @default 0 */
  readonly wait?: number;
  /** Headers for every request, such as for a gateway. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Trusts any certificate. @default false */
  readonly insecure?: boolean;
}

/** Maximum number of animals that a run adds. The mock gets 69. */
export const MOST_ADDED = 80;

/** Requests per second to a deployment that is not on loopback. */
export const USUAL_RATE = 50;
