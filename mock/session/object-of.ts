import * as v from 'valibot';
import type { Schema } from '../../common/schema.ts';

/** Schemas of the members of an interface. */
export type Members<Interface> = { readonly [Name in keyof Interface]-?: Schema<Interface[Name]> };

/** Creates the schema of an object as an interface has it. The compiler compares the members. */
export function objectOf<Interface>(about: string, members: Members<Interface>) {
  const object = v.object(members as unknown as v.ObjectEntries) as unknown;
  return v.pipe(object as v.GenericSchema<Interface>, v.description(about));
}
