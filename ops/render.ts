const ABSENT = '–';

/** Rows as lines of aligned columns. */
export function columns(rows: ReadonlyArray<readonly string[]>): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))));
  }
  return rows.map((row) =>
    row
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

export type Cell = string | number | boolean | null | undefined | readonly string[];

/** A table with a line of headings; one sentence if there is nothing to show. */
export function table(
  headings: readonly string[],
  rows: ReadonlyArray<readonly Cell[]>,
  ifEmpty: string,
): string {
  if (rows.length === 0) return ifEmpty;
  return columns([headings, ...rows.map((row) => row.map(cellText))]).join('\n');
}

/** One thing, a line a field. */
export function fields(entries: Readonly<Record<string, Cell>>): string {
  return columns(Object.entries(entries).map(([name, value]) => [name, cellText(value)])).join('\n');
}

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === '') return ABSENT;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return printable(value);
  return value.length === 0 ? ABSENT : value.map(printable).join(', ');
}

/** Stored text must not move the operator's cursor, colour the terminal or turn the line around. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

function widthOf(text: string): number {
  return [...text].length;
}
