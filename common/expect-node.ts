/** The oldest Node that the packages run on; the `engines` of each say the same. */
const NEEDED = '22.15';

// Imported first by what a package exports: without it an old Node would get as far as answers that are wrong.
if (NEEDED.localeCompare(process.versions.node, 'en', { numeric: true }) > 0) {
  throw new Error(`animal-store needs Node ${NEEDED} or later, and this is ${process.version}`);
}
