import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { loadContract, type Operation, type Schema } from '../../common/contract.ts';

/** What openapi.yaml says of an answer, found with ajv alone: none of the mock's own validation is in it. */
export interface Judge {
  readonly operations: readonly Operation[];
  /** What is wrong with a value, by ajv's reckoning; empty when it conforms. */
  validate(schema: Schema, value: unknown): string[];
}

/** Creates a judge of openapi.yaml. */
export function createJudge(): Judge {
  const { operations, schemas } = loadContract();
  const ajv = new Ajv({ allErrors: true, strictTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['components', 'example']);
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  return {
    operations,
    validate(schema, value) {
      const { $ref, ...rest } = schema;
      ajv.validate($ref === undefined ? rest : { $ref: `contract${$ref}` }, value);
      return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}
