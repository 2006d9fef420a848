import { join } from 'node:path';
import { takeScreenshots } from './take-screenshots.ts';

// Takes the screenshots of the documents again: `npm run pictures`.
await takeScreenshots(join(import.meta.dirname, '../../../docs/pictures'));
