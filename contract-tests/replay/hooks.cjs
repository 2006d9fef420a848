// Dredd loads this file. The hooks are created in dredd-process.ts.
const hooks = require('hooks');

hooks.beforeEach(globalThis.dreddHooks.beforeEach);
hooks.beforeEachValidation(globalThis.dreddHooks.beforeEachValidation);
