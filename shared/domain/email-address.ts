const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Plain RFC 5321 addresses in ASCII (an international domain in its `xn--` form): what SES accepts.
 * No quoted local parts, no address literals, no display names.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    local.length <= LONGEST_LOCAL_PART &&
    LOCAL_PART.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1] ?? '')
  );
}

/** The form in which two spellings of one mailbox compare equal. */
export function normaliseAddress(address: string): string {
  return address.trim().toLowerCase();
}
