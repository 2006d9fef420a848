import * as v from 'valibot';
import type { Members } from '../../common/schema.ts';

/** Creates the schema of an object as an interface has it. The compiler compares the members. */
export function objectOf<Interface>(about: string, members: Members<Interface>) {
  const object = v.object(members as unknown as v.ObjectEntries) as unknown;
  return v.pipe(object as v.GenericSchema<Interface>, v.description(about));
}
