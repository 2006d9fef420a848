// Dredd loads its hooks with `require`, so this file is CommonJS. It finds the hooks in a checkout and in the published package.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const hooks = require('hooks');

const isCheckout = existsSync(join(__dirname, 'cli.ts'));
const { addHooks } = require(isCheckout ? './dredd/add-hooks.ts' : './dist/contract-tests/add-hooks.js');

addHooks(hooks, process.env);
