import { join } from 'node:path';
import { takeScreenshots } from './take-screenshots.ts';

// Takes the screenshots of the documents again: `npx node tools/testing/pictures/cli.ts`.
await takeScreenshots(join(import.meta.dirname, '../../../docs/pictures'));
