import { S3Error } from './errors.ts';

const LONGEST_LINE = 16 * 1024;
const CRLF = Buffer.from('\r\n');

/**
 * The content of a body in chunks, each of which tells its size and, if signed, its signature; trailers may follow
 * and are put into `trailers`. Chunk signatures are not checked.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
export async function* decodeAwsChunked(
  body: AsyncIterable<Buffer>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(body);
  try {
    for (let size = chunkSize(await reader.line()); size > 0; size = chunkSize(await reader.line())) {
      yield* reader.take(size);
      if ((await reader.line()) !== '') throw new S3Error('IncompleteBody');
    }
    for (let line = await reader.line(); line; line = await reader.line()) {
      const colon = line.indexOf(':');
      if (colon < 1) throw new S3Error('MalformedTrailerError');
      trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    }
  } finally {
    await reader.release();
  }
}

/** A body that ends before its last chunk, of size 0, is cut short. */
function chunkSize(line: string | undefined): number {
  const [, size] = /^([0-9a-f]{1,10})(;.*)?$/i.exec(line ?? '') ?? [];
  if (size === undefined) throw new S3Error('IncompleteBody');
  return parseInt(size, 16);
}

class ByteReader {
  private readonly source: AsyncIterator<Buffer>;
  private pending: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.source = body[Symbol.asyncIterator]();
  }

  /** Lets go of the body, so that what is left of it can be read by others. */
  async release(): Promise<void> {
    await this.source.return?.();
  }

  /** Without its line break; nothing at the end. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.pending.indexOf(CRLF);
      if (end >= 0) {
        const line = this.pending.toString('latin1', 0, end);
        this.pending = this.pending.subarray(end + CRLF.length);
        return line;
      }
      if (this.pending.length > LONGEST_LINE) throw new S3Error('IncompleteBody');
      const more = await this.source.next();
      if (more.done) return undefined;
      this.pending = Buffer.concat([this.pending, more.value]);
    }
  }

  /** So many bytes, in pieces as they arrive. */
  async *take(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0;) {
      if (this.pending.length === 0) {
        const more = await this.source.next();
        if (more.done) throw new S3Error('IncompleteBody');
        this.pending = more.value;
      }
      const piece = this.pending.subarray(0, missing);
      this.pending = this.pending.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }
}
