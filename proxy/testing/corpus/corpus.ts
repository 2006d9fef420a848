import { createPetExchanges } from './create-pet-exchanges.ts';
import { getPetExchanges } from './get-pet-exchanges.ts';
import { listPetsExchanges } from './list-pets-exchanges.ts';
import { requestHeadExchanges } from './request-head-exchanges.ts';
import { responseBodyExchanges } from './response-body-exchanges.ts';
import { responseHeadExchanges } from './response-head-exchanges.ts';
import type { SampleExchange } from './sample-exchange.ts';

/** Exchanges of every operation and status of the contract, lawful ones and one for each rule that can be broken. */
export const corpus: readonly SampleExchange[] = [
  ...requestHeadExchanges,
  ...listPetsExchanges,
  ...createPetExchanges,
  ...getPetExchanges,
  ...responseHeadExchanges,
  ...responseBodyExchanges,
];
