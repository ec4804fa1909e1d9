/** The two CRCs of S3 that Node does not have, over 64 bits held as two halves: BigInt is far too slow. */
export class TableCrc {
  private high: number;
  private low: number;

  private constructor(
    private readonly table: Table,
    private readonly bytes: 4 | 8,
  ) {
    this.high = bytes === 8 ? 0xffffffff : 0;
    this.low = 0xffffffff;
  }

  static crc32c(): TableCrc {
    return new TableCrc(CRC32C, 4);
  }

  static crc64nvme(): TableCrc {
    return new TableCrc(CRC64NVME, 8);
  }

  update(data: Buffer): void {
    const { highs, lows } = this.table;
    let { high, low } = this;
    for (const byte of data) {
      const index = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lows[index] ?? 0);
      high = (high >>> 8) ^ (highs[index] ?? 0);
    }
    this.high = high;
    this.low = low;
  }

  digest(): Buffer {
    const digest = Buffer.alloc(8);
    digest.writeUInt32BE(~this.high >>> 0, 0);
    digest.writeUInt32BE(~this.low >>> 0, 4);
    return digest.subarray(8 - this.bytes);
  }
}

interface Table {
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
}

/** For a polynomial in reversed notation, which is how both are published. */
function tableOf(polynomialHigh: number, polynomialLow: number): Table {
  const table = { highs: new Uint32Array(256), lows: new Uint32Array(256) };
  for (let byte = 0; byte < 256; byte += 1) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      const carry = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (carry === 1) {
        low ^= polynomialLow;
        high ^= polynomialHigh;
      }
    }
    table.highs[byte] = high;
    table.lows[byte] = low;
  }
  return table;
}

const CRC32C = tableOf(0, 0x82f63b78);
const CRC64NVME = tableOf(0x9a6c9329, 0xac4bc9b5);
