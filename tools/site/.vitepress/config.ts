import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

/** Copies of the pages, see copy-pages.ts. */
const pages = join(import.meta.dirname, '../pages');
const INDEX = 'docs/README.md';

/** Address of the sources, for links to files that are no pages; undefined on a machine without a repository. */
const { SOURCES_URL, BASE_PATH = '/' } = process.env;

const read = (file: string) => readFileSync(join(pages, file), 'utf8');

/** The first heading of a page. */
function readTitle(file: string): string {
  const [, title = file] = /^# (.*)$/m.exec(read(file)) ?? [];
  return title.replaceAll('`', '');
}

/** Lists the pages that the index of the documentation links to, with a group for each of its headings. */
function readSidebar() {
  const [, ...sections] = read(INDEX).split(/^## /m);
  return sections.map((section) => {
    const [text = ''] = section.split('\n', 1);
    const files = [...section.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, file]) => `docs/${file}`);
    return { text, items: files.map((file) => ({ text: readTitle(file), link: `/${file}` })) };
  });
}

export default defineConfig({
  title: 'Animal Store tools',
  base: BASE_PATH,
  srcDir: pages,
  outDir: join(import.meta.dirname, '../dist'),
  cacheDir: join(import.meta.dirname, '../node_modules/.cache/vitepress'),
  rewrites: { [INDEX]: 'index.md' },
  cleanUrls: true,
  themeConfig: { search: { provider: 'local' }, sidebar: readSidebar(), outline: 'deep' },
  // Links to sources, such as an example, are no pages.
  ignoreDeadLinks: [(link) => !link.endsWith('.md') && !link.includes('.md#')],
  markdown: {
    config(markdown) {
      const { normalizeLink } = markdown;
      markdown.normalizeLink = (link) => normalizeLink(toSources(link));
    },
  },
});

/** Returns the address of a file of the sources for a relative link that leads to no page. */
function toSources(link: string): string {
  const isPage = /\.md(?:#.*)?$/.test(link);
  if (SOURCES_URL === undefined || isPage || !/^\.\.?\//.test(link)) return link;
  return `${SOURCES_URL}/${link.replace(/^(?:\.\.?\/)+/, '')}`;
}
