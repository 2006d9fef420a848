import module from 'node:module';

/** Modules of Dredd that are not needed: parsers of other formats, reporters, cookies, signatures. */
const unused =
  /\/(?:@apielements\/(?:apib|openapi2)-parser|har-validator|http-signature|psl)\/|\/(?:Apiary|HTML|Markdown|XUnit)Reporter\.js$/;

module.enableCompileCache();
module.registerHooks({
  load: (url, context, load) =>
    unused.test(url) ? { format: 'commonjs', source: '', shortCircuit: true } : load(url, context),
});
