/**
 * A service we depend on did not do what we asked, as opposed to a bug of ours. The AWS SDK puts `$metadata` on
 * everything that came from a service, and Node puts a code on everything that came from the network.
 */
export function isServiceTrouble(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('$metadata' in error) return true;
  const { name, code } = error as { name?: string; code?: unknown };
  return name === 'TimeoutError' || (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
}
