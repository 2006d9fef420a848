import module from 'node:module';

/** What Dredd loads to read other formats than OpenAPI 3: as much as all the rest. */
const otherParsers = /\/@apielements\/(?:apib|openapi2)-parser\//;

module.enableCompileCache();
module.registerHooks({
  load: (url, context, load) =>
    otherParsers.test(url) ? { format: 'commonjs', source: '', shortCircuit: true } : load(url, context),
});
