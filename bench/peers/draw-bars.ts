/** A row of a table: a name and a value for each column. */
export interface Row {
  readonly name: string;
  readonly values: readonly number[];
}

const [WIDTH, NAMES, NUMBERS, BAR, GAP] = [720, 150, 70, 20, 32];

/** Draws each column as bars, one for each row, as SVG for light and dark pages. */
export function drawBars(titles: readonly string[], rows: readonly Row[]): string {
  const height = titles.length * (rows.length * BAR + GAP) + 8;
  const charts = titles.map((title, column) => {
    const top = column * (rows.length * BAR + GAP);
    const most = Math.max(...rows.map(({ values }) => values[column] ?? 0));
    const bars = rows.map(({ name, values }, index) => {
      const value = Math.round(values[column] ?? 0);
      const y = top + 24 + index * BAR;
      const width = Math.max(1, Math.round(((WIDTH - NAMES - NUMBERS) * value) / most));
      const style = index === 0 ? 'ours' : 'other';
      return `<text x="${NAMES - 8}" y="${y + 14}" text-anchor="end">${name}</text>
<rect class="${style}" x="${NAMES}" y="${y + 3}" width="${width}" height="${BAR - 6}" rx="2"/>
<text class="muted" x="${NAMES + width + 6}" y="${y + 14}">${value.toLocaleString('en')}</text>`;
    });
    return `<text class="head" x="0" y="${top + 16}">${title}</text>\n${bars.join('\n')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${titles.join('; ')}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1a1f27 } .head { font-weight: 600 } .muted { fill: #59636e }
.ours { fill: #2f5fd0 } .other { fill: #9aa5b1 }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ebef } .muted { fill: #9aa5b1 } .ours { fill: #86a8ff } .other { fill: #59636e }
}
</style>
${charts.join('\n')}
</svg>`;
}
