import { describe, inject, test } from 'vitest';
import { describeConformance } from './describe-conformance.ts';
import type { VerifyOptions } from './verify-options.ts';

declare module 'vitest' {
  interface ProvidedContext {
    target: Omit<VerifyOptions, 'onResult' | 'signal'>;
  }
}

describeConformance(inject('target'), { describe, test });
