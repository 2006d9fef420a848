import type { ChoiceName } from '../../common/behaviour/choices.ts';
import { hasNotation } from '../../common/learn/new-pet.ts';
import { asInRun, inEras, notLearned, type Observe, ofAccepted } from './in-eras.ts';
import {
  isWithFurther,
  observeAnimalMembers,
  observeEmptyNames,
  observeIds,
  observeMediaTypes,
  observeRefusable,
  observeRefusedMember,
  observeUniqueNames,
} from './observe-creations.ts';
import { observeGetDelay, observeListDelay } from './observe-delays.ts';
import {
  observePageSize,
  observeUnknownParameters,
  observeUnusual,
  observeWithoutStatus,
  showsMoreThanDefault,
} from './observe-lists.ts';
import { observeOrder } from './observe-order.ts';
import {
  observeAllow,
  observeErrorCodes,
  observeHead,
  observeRateLimit,
  observeScheme,
} from './observe-replies.ts';

/**
 * The observer of each choice in traffic. In contrast to a run, other clients write at the same time, nobody knows all animals, and a
 * refusal has no known reason unless the same request is accepted without what it was refused for.
 */
export const trafficObservers: Readonly<Record<ChoiceName, Observe>> = {
  order: inEras(observeOrder),
  statusWhenOmitted: ofAccepted('statusWhenOmitted'),
  listsWithoutStatus: inEras(observeWithoutStatus),
  pageSize: inEras(observePageSize),
  limitAbove100: observeUnusual('limitAbove100', 'limit', showsMoreThanDefault),
  limitBelow1: observeUnusual('limitBelow1', 'limit'),
  limitWord: observeUnusual('limitWord', 'limit'),
  limitFraction: observeUnusual('limitFraction', 'limit'),
  limitLeadingZero: observeUnusual('limitLeadingZero', 'limit'),
  limitEmpty: observeUnusual('limitEmpty', 'limit'),
  invalidStatus: observeUnusual('invalidStatus', 'status'),
  statusCase: observeUnusual('statusCase', 'status'),
  statusLists: observeUnusual('statusLists', 'status'),
  repeatedParameters: notLearned('only the suite repeats each parameter'),
  pages: notLearned('traffic does not show which animals a further page lacks'),
  unknownParameters: inEras(observeUnknownParameters),
  unknownMembers: inEras((era) => observeRefusable('unknownMembers', era, isWithFurther, 'refuse')),
  duplicateMembers: ofAccepted('duplicateMembers'),
  longestName: ofAccepted('longestName'),
  shortestName: ofAccepted('shortestName'),
  nameCharacters: ofAccepted('nameCharacters'),
  emptyNames: inEras(observeEmptyNames),
  uniqueNames: inEras(observeUniqueNames),
  categories: notLearned('traffic does not show which categories exist'),
  ids: inEras(observeIds),
  integerNotations: inEras((era) => observeRefusable('integerNotations', era, hasNotation, 'refused')),
  refusedMember: inEras(observeRefusedMember),
  otherMediaTypes: inEras(observeMediaTypes),
  malformedId: asInRun('malformedId'),
  unknownPaths: asInRun('unknownPaths'),
  unknownPathWithoutKey: asInRun('unknownPathWithoutKey'),
  errorCodes: observeErrorCodes,
  errorMembers: asInRun('errorMembers'),
  animalMembers: inEras(observeAnimalMembers),
  charset: asInRun('charset'),
  schemeCase: inEras(observeScheme),
  challenge: asInRun('challenge'),
  location: ofAccepted('location'),
  deprecationHeaders: asInRun('deprecationHeaders'),
  listDelay: inEras(observeListDelay),
  getDelay: inEras(observeGetDelay),
  trailingSlash: asInRun('trailingSlash'),
  head: inEras(observeHead),
  otherMethods: asInRun('otherMethods'),
  allow: inEras(observeAllow),
  etag: asInRun('etag'),
  rateLimit: observeRateLimit,
  fullStore: asInRun('fullStore'),
};
