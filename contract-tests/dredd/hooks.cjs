// Dredd loads its hooks by itself; what they do was made in the process that started it.
const hooks = require('hooks');

const { beforeEach, beforeEachValidation } = globalThis.dreddHooks;
hooks.beforeEach(beforeEach);
hooks.beforeEachValidation(beforeEachValidation);
