/** `user@example.com` → `u***@e***.com`. Logs never carry an address in any other form. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 1) return '***';
  const domain = address.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot > 0 ? domain.slice(dot) : '';
  return `${address.slice(0, 1)}***@${domain.slice(0, 1)}***${ending}`;
}

/** A hash is shown by its first 8 characters: enough to compare two lines, too little to look one up. */
export function maskHash(hash: string): string {
  return `${hash.slice(0, 8)}...`;
}

const ADDRESS = /[^\s<>"(),:;@[\]\\]+@[^\s<>"'(),:;@[\]\\]+\.[A-Za-z0-9-]+/g;
const CPF = /(?<![0-9A-Z])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![0-9A-Z])/gi;
const CNPJ = /(?<![0-9A-Z])[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2}(?![0-9A-Z])/gi;

/** For text that others wrote (a SES message, an exception): masks whatever looks like an address or a document. */
export function maskText(text: string): string {
  return text
    .replace(ADDRESS, (found) => maskEmail(found))
    .replace(CPF, '***')
    .replace(CNPJ, '***');
}
