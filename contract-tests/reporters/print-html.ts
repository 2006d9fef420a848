import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report } from '../runner/report.ts';
import { html, Markup } from './html/html.ts';
import { printFindings } from './html/print-findings.ts';
import { printOthers } from './html/print-others.ts';
import { printOverview } from './html/print-overview.ts';
import { printSpecification } from './html/print-specification.ts';

// Each URL is written out, so that the bundler finds its file.
const styles = [
  new URL('../../common/theme/tokens.css', import.meta.url),
  new URL('../../common/theme/base.css', import.meta.url),
  new URL('html/page.css', import.meta.url),
];
const scripts = [
  new URL('../../common/theme/theme.js', import.meta.url),
  new URL('../../common/theme/copy.js', import.meta.url),
  new URL('html/page.js', import.meta.url),
];
const read = (files: readonly URL[]) => files.map((file) => readFileSync(file, 'utf8')).join('');

/**
 * Prints a report as one HTML page: the verdict, the findings, the specification with a mark at each sentence, and the other clauses. The page needs no network, and no script for reading. A browser runs only its own style and script.
 */
export function printHtml(report: Report): string {
  const [style, script] = [read(styles), read(scripts)];
  const sources = `style-src '${hash(style)}'; script-src '${hash(script)}'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${[report.baseUrl, report.verdict].join(' ').trim()}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${printOverview(report)}
<main>
${printFindings(report)}${printSpecification(report)}${printOthers(report)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
