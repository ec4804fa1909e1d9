import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './errors.ts';
import type { S3Request } from './s3-request.ts';
import { TableCrc } from './table-crc.ts';

interface Digest {
  update(data: Buffer): unknown;
  digest(): Buffer;
}

/** How long each is, and how it comes about. */
const ALGORITHMS = {
  crc32: { bytes: 4, start: startCrc32 },
  crc32c: { bytes: 4, start: () => TableCrc.crc32c() },
  crc64nvme: { bytes: 8, start: () => TableCrc.crc64nvme() },
  sha1: { bytes: 20, start: () => createHash('sha1') },
  sha256: { bytes: 32, start: () => createHash('sha256') },
} satisfies Record<string, { bytes: number; start: () => Digest }>;

type Algorithm = keyof typeof ALGORITHMS;

const HEADER = 'x-amz-checksum-';

/** The checksum that an upload carries, if any: in a header, or announced to follow the body. */
export class UploadChecksum {
  private readonly running: Digest;

  private constructor(
    private readonly algorithm: Algorithm,
    private readonly given: string | undefined,
  ) {
    this.running = ALGORITHMS[algorithm].start();
  }

  static of({ message, header }: S3Request): UploadChecksum | undefined {
    const announced = header('x-amz-trailer');
    const names = Object.keys(message.headers).filter((name) => name.startsWith(HEADER));
    const checksums = [
      ...names.filter((name) => name !== `${HEADER}type`),
      ...(announced ? [announced] : []),
    ];
    if (checksums.length > 1) {
      throw new S3Error('InvalidRequest', `Expecting a single ${HEADER} header`);
    }
    const [name] = checksums;
    if (name !== undefined) return new UploadChecksum(algorithmOf(name), header(name.toLowerCase()));
    if (header('x-amz-sdk-checksum-algorithm') === undefined) return undefined;
    throw new S3Error(
      'InvalidRequest',
      `x-amz-sdk-checksum-algorithm specified, but no corresponding ${HEADER}* or x-amz-trailer headers were found.`,
    );
  }

  update(data: Buffer): void {
    this.running.update(data);
  }

  /** Returns the header to keep with the object. */
  verify(trailers: ReadonlyMap<string, string>): Record<string, string> {
    const name = HEADER + this.algorithm;
    const given = this.given ?? trailers.get(name);
    if (given === undefined) throw new S3Error('MalformedTrailerError');
    if (Buffer.from(given, 'base64').length !== ALGORITHMS[this.algorithm].bytes) {
      throw new S3Error('InvalidRequest', `Value for ${name} header is invalid.`);
    }
    const computed = this.running.digest().toString('base64');
    if (given === computed) return { [name]: computed };
    throw new S3Error(
      'BadDigest',
      `The ${this.algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
    );
  }
}

function algorithmOf(header: string): Algorithm {
  const name = header.toLowerCase().slice(HEADER.length);
  if (name in ALGORITHMS) return name as Algorithm;
  throw new S3Error('NotImplemented', `The checksum ${header} is not emulated.`);
}

function startCrc32(): Digest {
  let value = 0;
  return {
    update: (data) => (value = crc32(data, value)),
    digest: () => {
      const digest = Buffer.alloc(4);
      digest.writeUInt32BE(value);
      return digest;
    },
  };
}
