// Dredd loads its hooks by itself; what they do was made in the process that started it.
const hooks = require('hooks');

const { dreddHooks, dreddInterval } = globalThis;
hooks.beforeEach((transaction, done) => {
  dreddHooks.beforeEach(transaction);
  setTimeout(done, transaction.skip ? 0 : dreddInterval);
});
hooks.beforeEachValidation(dreddHooks.beforeEachValidation);
