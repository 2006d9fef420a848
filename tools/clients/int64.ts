// int64.ts
export { printInt64, rawJson, readInt64 } from '../../mock/client/types.ts';
