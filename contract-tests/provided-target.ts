import { resolveTarget, type Target } from './core/target.ts';

/** A target as it crosses from the command to the tests: plain values, those that are left out being the defaults. */
export interface ProvidedTarget {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly allowsWrites?: boolean;
  readonly timeout?: number;
  readonly retries?: number;
  readonly maxRate?: number;
  readonly seed?: number;
  readonly runs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In decimal digits. */
  readonly categoryId?: string;
  readonly quickstart?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
  /** The ids of the clauses that are wanted; none means all. */
  readonly only: readonly string[];
}

/** Reads a target that was provided. */
export function readTarget({ only: _, categoryId, ...options }: ProvidedTarget): Target {
  const category = categoryId === undefined ? {} : { categoryId: BigInt(categoryId) };
  return resolveTarget({ ...options, ...category });
}
