/** A learned file in which nothing differs from the default. */
export const learnedFile = {
  version: 1,
  mode: 'writes',
  behaviour: {},
  observed: ['order'],
  unknown: {},
  undescribed: [],
  evidence: {},
  fingerprints: [],
};
