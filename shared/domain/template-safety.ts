import { SAXParser } from 'parse5-sax-parser';
import { EMAIL_LIMITS } from './job-config.ts';

/** Raised whenever the rules change: a body that passed an older version is parsed again before it is sent. */
export const TEMPLATE_RULES_VERSION = 1;

/** Far more than any mail needs; each level is parsed again, so the depth must have an end. */
const DEEPEST_NESTING = 4;
/** Attributes whose value is a list of URLs, or of times and URLs. */
const LISTS = new Set(['content', 'srcset', 'values']);
/** Attributes that are read, never followed: a book may be called "JavaScript: The Definitive Guide". */
const WORDS = new Set(['alt', 'title', 'aria-label']);

/** Everything wrong with a body, in words for the one who wrote it; empty if it may be sent. */
export function templateFaults(html: string): string[] {
  if (html.trim() === '') return ['must not be empty'];
  if (Buffer.byteLength(html, 'utf8') > EMAIL_LIMITS.HTML_BYTES)
    return [`must be at most ${EMAIL_LIMITS.HTML_BYTES} bytes`];
  const faults = new Set<string>();
  scan(html, 0, (fault) => faults.add(fault));
  return [...faults];
}

type Report = (fault: string) => void;

/** Reads tags as a browser does, but builds no tree: that can take quadratic time, and here nobody needs one. */
class TagReader extends SAXParser {
  readAll(html: string): void {
    this.tokenizer.write(html, true);
  }
}

function scan(html: string, depth: number, report: Report): void {
  if (depth > DEEPEST_NESTING) {
    report(`must not nest conditional comments, srcdoc or <noscript> more than ${DEEPEST_NESTING} deep`);
    return;
  }
  const reader = new TagReader();
  let within = '';
  reader.on('startTag', ({ tagName, attrs }) => {
    within = tagName;
    if (tagName === 'script') report('must not contain <script>');
    for (const { name, value } of attrs) checkAttribute(tagName, name.toLowerCase(), value, depth, report);
  });
  reader.on('endTag', () => (within = ''));
  reader.on('text', ({ text }) => {
    if (within === 'style' && isScriptUrl(text)) report('must not contain javascript: (inside <style>)');
    // The parser takes <noscript> for text; a mail client, which runs no scripts, shows it as HTML.
    if (within === 'noscript') scan(text, depth + 1, report);
  });
  reader.on('comment', ({ text }) => {
    // Outlook reads what stands inside conditional comments as HTML.
    const inside = /^\[if[^\]]*\]>([\s\S]*?)(?:<!\[endif\])?$/i.exec(text);
    if (inside?.[1]) scan(inside[1], depth + 1, report);
  });
  reader.readAll(html);
}

function checkAttribute(
  tagName: string,
  attribute: string,
  value: string,
  depth: number,
  report: Report,
): void {
  if (/^on[a-z]+$/.test(attribute)) report(`must not contain event handlers (${attribute} on <${tagName}>)`);
  const urls = LISTS.has(attribute) ? value.split(/[;,]/) : [value];
  if (!WORDS.has(attribute) && urls.some(isScriptUrl))
    report(`must not contain javascript: (${attribute} on <${tagName}>)`);
  if (attribute === 'srcdoc') scan(value, depth + 1, report);
}

/** Browsers drop control characters and white space inside a scheme; so do we before we look. */
function isScriptUrl(value: string): boolean {
  return /(?:^|url=|url\(|@import)['"]?(?:javascript|vbscript):/i.test(
    value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''),
  );
}
