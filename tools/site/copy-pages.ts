import { cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// VitePress finds Vue only from pages in its own folder.
const root = join(import.meta.dirname, '../..');
const pages = join(import.meta.dirname, 'pages');

rmSync(pages, { recursive: true, force: true });
for (const file of globSync(['*.md', 'docs/**/*.{md,png,svg}', '{mock,proxy,contract-tests}/README.md'], {
  cwd: root,
}))
  cpSync(join(root, file), join(pages, file));
