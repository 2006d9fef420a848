/** The document of the control API: in `mock/` of a checkout, or in `dist` of a published package. */
export const controlApiFile = new URL('../control-api.yaml', import.meta.url);
