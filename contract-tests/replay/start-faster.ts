import module from 'node:module';

/** What Dredd loads for what is not done here: to read other formats than OpenAPI 3, to write reports, to keep cookies, to sign. */
const unused =
  /\/(?:@apielements\/(?:apib|openapi2)-parser|har-validator|http-signature|psl)\/|\/(?:Apiary|HTML|Markdown|XUnit)Reporter\.js$/;

module.enableCompileCache();
module.registerHooks({
  load: (url, context, load) =>
    unused.test(url) ? { format: 'commonjs', source: '', shortCircuit: true } : load(url, context),
});
