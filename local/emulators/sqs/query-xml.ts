/** In XML a list is its element repeated, under a name of its own. */
const LIST_ELEMENTS: Record<string, string> = {
  Messages: 'Message',
  QueueUrls: 'QueueUrl',
  queueUrls: 'QueueUrl',
  Failed: 'BatchResultErrorEntry',
  Results: 'ListMessageMoveTasksResultEntry',
};

/** A map is an element for each entry, with two children. */
const MAP_ELEMENTS: Record<string, { element: string; key: string }> = {
  Attributes: { element: 'Attribute', key: 'Name' },
  MessageAttributes: { element: 'MessageAttribute', key: 'Name' },
  Tags: { element: 'Tag', key: 'Key' },
};

export function toXml(action: string, output: object): string {
  return Object.entries(output)
    .map(([name, value]: [string, unknown]) => memberXml(action, name, value))
    .join('');
}

function memberXml(action: string, name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) {
    const element = LIST_ELEMENTS[name] ?? `${action}ResultEntry`;
    return value.map((item: unknown) => wrap(element, valueXml(action, item))).join('');
  }
  const map = MAP_ELEMENTS[name];
  if (map) {
    return Object.entries(value as object)
      .map(([key, item]: [string, unknown]) =>
        wrap(map.element, wrap(map.key, escape(key)) + wrap('Value', valueXml(action, item))),
      )
      .join('');
  }
  return wrap(name, valueXml(action, value));
}

function valueXml(action: string, value: unknown): string {
  return typeof value === 'object' && value !== null ? toXml(action, value) : escape(String(value));
}

function wrap(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

/** A carriage return is written as a reference, or a parser would turn it into a line feed. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#xD;');
}
