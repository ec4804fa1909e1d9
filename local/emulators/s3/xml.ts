type Value = string | number | boolean | undefined | Element | readonly Element[];

/** Its children by name, in order. An array is the element repeated, `undefined` leaves it out. */
export interface Element {
  readonly [name: string]: Value;
}

export function document(root: string, children: Element, namespace = ''): string {
  const attribute = namespace === '' ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${contentOf(children)}</${root}>`;
}

function contentOf(element: Element): string {
  return Object.entries(element)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (isList(value)) return value.map((each) => wrap(name, contentOf(each)));
      return [wrap(name, typeof value === 'object' ? contentOf(value) : escape(String(value)))];
    })
    .join('');
}

function isList(value: Value): value is readonly Element[] {
  return Array.isArray(value);
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
    .replaceAll('\r', '&#13;');
}
