// Dredd loads its hooks by itself; what they do was made in the process that started it.
const hooks = require('hooks');

hooks.beforeEach(globalThis.dreddHooks.beforeEach);
hooks.beforeEachValidation(globalThis.dreddHooks.beforeEachValidation);
