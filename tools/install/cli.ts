import { installFolder } from './install-folder.ts';

// Installs each folder that is named, such as `tools/site`.
for (const folder of process.argv.slice(2)) installFolder(folder);
