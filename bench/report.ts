import { availableParallelism, cpus, totalmem } from 'node:os';

/** What one benchmark found: a table, with the unit of each figure, and what must be known to read it. */
export interface Report {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>;
  readonly notes: readonly string[];
}

/** Says what is going on, for whoever waits. */
export type Progress = (step: string) => void;

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
}

export function machine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

export function machineLine({ cores, cpu, memoryGb, node, platform }: Machine): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB, ${platform}, Node ${node}`;
}

/** Words to the left, figures to the right. */
export function renderReport({ name, columns, rows, notes }: Report): string {
  const cells = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const isFigure = columns.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => (isFigure[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(widths.reduce((total, width) => total + width, 2 * (widths.length - 1)));
  return [name, rule, lines[0], rule, ...lines.slice(1), ...notes.map((note) => `  ${note}`)].join('\n');
}

/** To so many significant digits, never as 1e+3. */
export function rounded(value: number, digits = 3): number {
  if (value === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  return step >= 1 ? Math.round(value) : Number(value.toFixed(Math.round(-Math.log10(step))));
}
