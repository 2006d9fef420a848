import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { loadContract, type Schema } from '../../common/json/contract.ts';

/** Creates what finds the faults of an answer by openapi.yaml and ajv alone: none of the mock's own validation is in it. */
export function createJudge() {
  const { operations, schemas } = loadContract();
  const ajv = new Ajv({ allErrors: true, strictTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['components', 'example']);
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  const validate = ({ $ref, ...rest }: Schema, value: unknown): string[] => {
    ajv.validate($ref === undefined ? rest : { $ref: `contract${$ref}` }, value);
    return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  return { operations, validate };
}
