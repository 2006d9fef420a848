/** Oldest Node that the packages run on, as in their `engines`. */
const NEEDED = '22.15';

// The packages import this first, since an old Node would give wrong results instead of an error. A page has no Node.
const node = globalThis.process?.versions?.node;
if (node !== undefined && NEEDED.localeCompare(node, 'en', { numeric: true }) > 0) {
  const add = 'Add one: npm install --save-dev node@24. Then start your script with npx node.';
  throw new Error(`animal-store needs Node ${NEEDED} or later, and this is ${process.version}. ${add}`);
}
