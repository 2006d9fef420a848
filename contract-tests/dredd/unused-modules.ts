/** Addresses of the modules of Dredd that a run does not need: parsers of other formats, reporters, cookies, signatures. */
export const unusedModules =
  /\/(?:@apielements\/(?:apib|openapi2)-parser|har-validator|http-signature|psl)\/|\/(?:Apiary|HTML|Markdown|XUnit)Reporter\.js$/;
