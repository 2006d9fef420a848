import { printExactJson } from '../common/exact-json.ts';
import type { Pet } from '../common/pet.ts';

/** Prints an animal as JSON. Source: openapi.yaml#/components/schemas/Pet */
export function printPet({ id, name, categoryId, status }: Pet): string {
  return printExactJson({ id, name, categoryId, ...(status === undefined ? {} : { status }) });
}
