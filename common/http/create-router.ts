import { type IRouter, Router } from 'express';

/** Creates a router whose paths match to the letter: Express would take `/V1/Pets/` for `/v1/pets`. */
export function createRouter(): IRouter {
  return Router({ strict: true, caseSensitive: true });
}
