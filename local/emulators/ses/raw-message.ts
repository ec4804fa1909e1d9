export interface RawMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The value of a header, whatever its case; '' when there is none. */
  header(name: string): string;
}

/** Reads the header block of a MIME message; the body stays as it came. */
export function parseRawMessage(raw: string): RawMessage {
  const end = /\r?\n\r?\n/.exec(raw);
  const head = end ? raw.slice(0, end.index) : raw;
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
  const fields = unfolded.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
  });
  return {
    headers: Object.fromEntries(fields),
    body: end ? raw.slice(end.index + end[0].length) : '',
    header: (name) => fields.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? '',
  };
}

/** Splits `"Silva, Ana" <ana@example.com>, bo@example.com` at the commas outside quotes. */
export function splitAddressList(list: string): string[] {
  const addresses = list.match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ?? [];
  return addresses.map((address) => address.trim()).filter((address) => address !== '');
}
