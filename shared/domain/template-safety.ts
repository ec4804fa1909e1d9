import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { EMAIL_LIMITS } from './job-config.ts';

/** Raised whenever the rules change: a body that passed an older version is parsed again before it is sent. */
export const TEMPLATE_RULES_VERSION = 1;

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Everything wrong with a body, in words for the one who wrote it; empty if it may be sent. */
export function templateFaults(html: string): string[] {
  if (html.trim() === '') return ['must not be empty'];
  if (Buffer.byteLength(html, 'utf8') > EMAIL_LIMITS.HTML_BYTES)
    return [`must be at most ${EMAIL_LIMITS.HTML_BYTES} bytes`];
  return [...new Set(scan(html))];
}

function scan(html: string): string[] {
  const faults: string[] = [];
  const waiting: Node[] = [parse(html)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#comment') {
      // Outlook reads what stands inside conditional comments as HTML.
      const inside = /^\[if[^\]]*\]>([\s\S]*?)(?:<!\[endif\])?$/i.exec(
        (node as DefaultTreeAdapterTypes.CommentNode).data,
      );
      if (inside?.[1]) faults.push(...scan(inside[1]));
    }
    if ('attrs' in node) faults.push(...elementFaults(node));
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) waiting.push(...node.childNodes);
  }
  return faults;
}

function elementFaults(element: Element): string[] {
  const faults: string[] = [];
  if (element.tagName === 'script') faults.push('must not contain <script>');
  for (const { name, value } of element.attrs) {
    const attribute = name.toLowerCase();
    if (/^on[a-z]+$/.test(attribute))
      faults.push(`must not contain event handlers (${attribute} on <${element.tagName}>)`);
    if (isScriptUrl(value))
      faults.push(`must not contain javascript: (${attribute} on <${element.tagName}>)`);
    if (attribute === 'srcdoc') faults.push(...scan(value));
  }
  return faults;
}

/** Browsers drop control characters and white space inside a scheme; so do we before we look. */
function isScriptUrl(value: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /(?:^|url=|url\(['"]?)(?:javascript|vbscript):/i.test(
    value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''),
  );
}
