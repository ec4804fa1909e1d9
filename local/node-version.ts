/** As in package.json's engines. */
const OLDEST = [20, 19] as const;

/** Undefined if this version will do, else the sentence that says why not. */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const supported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return supported
    ? undefined
    : `Email Gateway needs Node.js ${OLDEST.join('.')} or newer; this is ${version}.`;
}
