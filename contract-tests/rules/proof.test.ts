import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { conformingDeployments } from '../deployments/conforming-deployments.ts';
import { clauses } from './clauses.ts';
import type { Clause } from './rule.ts';
import { type Account, reasons, specification, toProse } from './specification.ts';

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const toAnchor = (id: string) => id.replace('/', '-');

function printAccount(account: Account): string {
  if ('leftOut' in account) return reasons[account.leftOut];
  if ('statedAt' in account) return `Stated in openapi.yaml: \`${account.statedAt}\``;
  return account.clauses.map((id) => `[${id}](#${toAnchor(id)})`).join(', ');
}

function printSentences(): string {
  const headings = Object.entries(specification).map(([heading, sentences]) => {
    const rows = Object.entries(sentences).map(
      ([sentence, account]) => `| ${escapeCell(toProse(sentence))} | ${printAccount(account)} |`,
    );
    return `### ${escapeCell(heading)}\n\n| Sentence | Tested by |\n| --- | --- |\n${rows.join('\n')}\n`;
  });
  return headings.join('\n');
}

/** How many services a row names, so that the page can be read. */
const MOST_NAMED = 3;

function printClause({ id, sentence, level, tolerated = {} }: Clause): string {
  const broken = brokenDeployments.filter(({ breaks }) => breaks === id).map(({ name }) => name);
  const more = broken.length > MOST_NAMED ? [`and ${broken.length - MOST_NAMED} more`] : [];
  const name = `<a id="${toAnchor(id)}"></a>\`${id}\`${level === 'recommended' ? ' (recommended)' : ''}`;
  const points = Object.entries(tolerated).map(([point, answers]) => `${point}: ${answers}`);
  const cells = [
    [name, escapeCell(sentence)],
    points.map(escapeCell),
    [...broken.slice(0, MOST_NAMED), ...more].map(escapeCell),
  ];
  return `| ${cells.map((lines) => lines.join('<br>')).join(' | ')} |`;
}

function printProof(): string {
  const count = clauses.flatMap(({ id }) => brokenDeployments.filter(({ breaks }) => breaks === id)).length;
  return `# What the suite tests, and what proves it

This page answers two questions: what of a sentence of the [specification](../specification.md) was tested, and why you can believe a clause.
\`npm run test:update\` writes it from the code. The [HTML report](reports.md) shows the sentences with the marks of your run.

## The specification, sentence by sentence

${printSentences()}
## The clauses and their proof

The tests run the suite against ${count} services with one defect each. Each has to be found by one clause, and by no other, which also proves
that the clause is needed. A clause accepts what it tolerates, because the specification leaves it [unspecified](unspecified.md). The files
\`contract-tests/rules/*.deployments.ts\` have all services.

| Clause | Tolerates | Finds a service that … |
| --- | --- | --- |
${clauses.map(printClause).join('\n')}

## Services that no clause may accuse

The tests run the suite against these ${conformingDeployments.length} conforming services as well, and against every value of every choice of the mock. A
service that …

${conformingDeployments.map(({ name }) => escapeCell(name)).join(' · ')}
`;
}

test('docs/reference/proof.md has what the code says: npm run test:update writes it', async () => {
  const page = join(import.meta.dirname, '../../docs/reference/proof.md');
  await expect(printProof()).toMatchFileSnapshot(page);
});
