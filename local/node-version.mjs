// Plain JavaScript that an old Node can read: it must still be able to say what is wrong.

/** As in package.json's engines. */
const OLDEST = { major: 20, minor: 19 };

/**
 * @param {string} version
 * @returns {string | undefined} undefined if this version will do, else the sentence that says why not
 */
export function unsupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const supported = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor);
  return supported
    ? undefined
    : `Email Gateway needs Node.js ${OLDEST.major}.${OLDEST.minor} or newer; this is ${version}.`;
}
