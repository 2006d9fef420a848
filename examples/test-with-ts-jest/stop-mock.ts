export default () => globalThis.mock.close();
