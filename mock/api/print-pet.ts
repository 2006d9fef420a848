import type { Pet } from '../../common/pet.ts';

/**
 * Prints an animal as JSON, its int64 digit for digit. Source: openapi.yaml#/components/schemas/Pet
 *
 * By hand, since a list prints 20 of them and more: a replacer for the bigints takes several times as long.
 */
export function printPet({ id, name, categoryId, status }: Pet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}
