import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { EMAIL_LIMITS } from './job-config.ts';

/** Raised whenever the rules change: a body that passed an older version is parsed again before it is sent. */
export const TEMPLATE_RULES_VERSION = 1;

/** Far more than any mail needs; each level is parsed again, so the depth must have an end. */
const DEEPEST_NESTING = 4;
/** Attributes whose value is a list of URLs, or of times and URLs. */
const LISTS = new Set(['content', 'srcset', 'values']);
/** Attributes that are read, never followed: a book may be called "JavaScript: The Definitive Guide". */
const WORDS = new Set(['alt', 'title', 'aria-label']);

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Everything wrong with a body, in words for the one who wrote it; empty if it may be sent. */
export function templateFaults(html: string): string[] {
  if (html.trim() === '') return ['must not be empty'];
  if (Buffer.byteLength(html, 'utf8') > EMAIL_LIMITS.HTML_BYTES)
    return [`must be at most ${EMAIL_LIMITS.HTML_BYTES} bytes`];
  return [...new Set(faultsIn(html, 0))];
}

function* faultsIn(html: string, depth: number): Generator<string> {
  if (depth > DEEPEST_NESTING) {
    yield `must not nest conditional comments, srcdoc or <noscript> more than ${DEEPEST_NESTING} deep`;
    return;
  }
  const waiting: Node[] = [parse(html)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#comment') {
      // Outlook reads what stands inside conditional comments as HTML.
      const inside = /^\[if[^\]]*\]>([\s\S]*?)(?:<!\[endif\])?$/i.exec(
        (node as DefaultTreeAdapterTypes.CommentNode).data,
      );
      if (inside?.[1]) yield* faultsIn(inside[1], depth + 1);
    }
    if ('attrs' in node) yield* elementFaults(node, depth);
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
  }
}

function* elementFaults(element: Element, depth: number): Generator<string> {
  const { tagName } = element;
  if (tagName === 'script') yield 'must not contain <script>';
  if (tagName === 'style' && isScriptUrl(textOf(element)))
    yield 'must not contain javascript: (inside <style>)';
  // The parser takes <noscript> for text; a mail client, which runs no scripts, shows it as HTML.
  if (tagName === 'noscript') yield* faultsIn(textOf(element), depth + 1);
  for (const { name, value } of element.attrs) {
    const attribute = name.toLowerCase();
    if (/^on[a-z]+$/.test(attribute)) yield `must not contain event handlers (${attribute} on <${tagName}>)`;
    const urls = LISTS.has(attribute) ? value.split(/[;,]/) : [value];
    if (!WORDS.has(attribute) && urls.some(isScriptUrl))
      yield `must not contain javascript: (${attribute} on <${tagName}>)`;
    if (attribute === 'srcdoc') yield* faultsIn(value, depth + 1);
  }
}

function textOf(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

/** Browsers drop control characters and white space inside a scheme; so do we before we look. */
function isScriptUrl(value: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /(?:^|url=|url\(|@import)['"]?(?:javascript|vbscript):/i.test(
    value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''),
  );
}
