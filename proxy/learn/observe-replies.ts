import { type Observation, observe } from '../../common/learn/finished-run.ts';
import { observeRun, only } from './in-eras.ts';
import type { Era, Traffic } from './traffic.ts';

/** Observes the codes of all eras, because each may show the codes of other statuses. */
export function observeErrorCodes({ eras }: Traffic): Observation {
  return observeRun('errorCodes', only(eras.flatMap(({ run }) => run.all)));
}

/** Observes `bearer` in lower case. A refusal counts if the same key was accepted before it and after it. */
export function observeScheme({ run }: Era, { keyOf }: Traffic): Observation {
  const accepted = run.valid.filter(({ isSuccess }) => isSuccess);
  const lower = run.all.filter(({ request }) => request.headers.Authorization === 'bearer key');
  return observe(lower, (exchange) => {
    if (exchange.isSuccess) return 'any';
    const usual = accepted.filter((one) => keyOf(one) === keyOf(exchange));
    const isValidKey =
      usual.some(({ end }) => end <= exchange.at) && usual.some(({ at }) => at >= exchange.end);
    return exchange.status === 401 && isValidKey ? 'exact' : undefined;
  });
}

/** Observes HEAD requests for the list. */
export function observeHead({ heads }: Era): Observation {
  return observeRun('head', only(heads.valid.filter(({ path }) => path === '/pets')));
}

/** Observes refused methods other than OPTIONS. */
export function observeAllow({ run }: Era): Observation {
  return observeRun('allow', only(run.all.filter(({ request }) => request.method !== 'OPTIONS')));
}

/** Observes a limit of the rate, which only busy traffic shows. */
export function observeRateLimit({ record }: Traffic): Observation {
  if (record.isLimited) return { unknown: 'it has a limit, but which one is unknown', isUndescribed: true };
  return record.isBusy ? { value: 'none', evidence: [] } : { unknown: 'the traffic was too slow' };
}
