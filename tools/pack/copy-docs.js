import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Copies the documents, without their pictures, and the skill for coding agents into a package. */
export function copyDocs(folder) {
  const target = join(folder, 'docs');
  const filter = (file) => basename(file) !== 'pictures';
  for (const name of ['docs', 'skills']) {
    rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  }
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
