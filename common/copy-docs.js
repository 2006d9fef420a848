import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What users of a package do not read: pictures of the README, and how to release. */
const left = new Set(['pictures', 'RELEASING.md']);

/** Copies the documents into a package, whose messages and pages name them. */
export function copyDocs(folder) {
  const target = join(folder, 'docs');
  rmSync(target, { recursive: true, force: true });
  const filter = (file) => !left.has(basename(file));
  cpSync(join(root, 'docs'), target, { recursive: true, filter });
  for (const page of globSync('**/*.md', { cwd: target })) {
    const file = join(target, page);
    writeFileSync(file, nameOutside(readFileSync(file, 'utf8'), join('docs', dirname(page))));
  }
}

/** Names the files that only the repository has, in place of the links that would lead nowhere in a package. */
function nameOutside(markdown, folder) {
  const withoutPictures = markdown.replaceAll(/<picture>.*?<\/picture>\n\n/gs, '');
  return withoutPictures.replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)#]+)[^)]*\)/g, (link, text, path) => {
    const file = relative(root, join(root, folder, path)).replaceAll('\\', '/');
    if (file.startsWith('docs/')) return link;
    const place = `\`${file}\` of the repository`;
    return `/${file}`.endsWith(`/${text}`) ? place : `${text} (${place})`;
  });
}
