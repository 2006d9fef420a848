import { type Contract, type ContractDocument, createContract } from '../../common/json/contract.ts';
import { loadContract } from '../../common/load-contract.ts';

/** The parts of openapi.yaml that tests change. */
export interface WrittenContract {
  openapi: string;
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Record<string, unknown>>; [name: string]: unknown };
}

/** Returns openapi.yaml with changes. */
export function changeContract(change: (contract: WrittenContract) => void): Contract {
  const document = structuredClone(loadContract().document);
  change(document as unknown as WrittenContract);
  return createContract(document satisfies ContractDocument);
}

/** Adds an optional member to schemas: the time at which an animal was created. */
export function addCreatedAt({ components: { schemas } }: WrittenContract, names = ['Pet']): void {
  for (const name of names)
    Object.assign(schemas[name]?.properties ?? {}, { createdAt: { type: 'string', format: 'date-time' } });
}

/** Adds a filter of lists by a member that animals have, unless there is one. */
export function addFilter({ paths, components: { schemas } }: WrittenContract, name: string): void {
  const properties = schemas.Pet?.properties as Record<string, object>;
  const { parameters = [] } = paths['/pets']?.get ?? {};
  const written = parameters as { readonly name: string; readonly in: string; readonly schema: object }[];
  if (written.every((one) => one.name !== name))
    written.push({ name, in: 'query', schema: properties[name] ?? {} });
}
