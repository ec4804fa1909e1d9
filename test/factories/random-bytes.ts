/** Stands where the code asks for randomness: every byte is `byte`. */
export function bytesOf(byte: number): (count: number) => Uint8Array {
  return (count) => new Uint8Array(count).fill(byte);
}

/** A different run of bytes on each call. */
export function countingBytes(): (count: number) => Uint8Array {
  let next = 0;
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256);
}
