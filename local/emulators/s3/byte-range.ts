import { S3Error } from './errors.ts';

export interface ByteRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}

/** Nothing for the whole object. Like S3, ignores what is malformed and what asks for several ranges. */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (header === undefined || (first === '' && last === '')) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const range =
    first === ''
      ? { first: Math.max(0, size - Number(last)), last: size - 1 }
      : { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  if (range.first < size) return range;
  throw new S3Error('InvalidRange', undefined, {
    details: { RangeRequested: header, ActualObjectSize: String(size) },
    headers: { 'content-range': `bytes */${size}` },
  });
}
