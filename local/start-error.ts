/** Something that the developer can put right; its message is the one sentence they get to see. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
