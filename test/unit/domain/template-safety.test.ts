import { describe, expect, it } from 'vitest';
import { templateFaults } from '../../../shared/domain/template-safety.ts';

describe('may be sent', () => {
  it.each([
    ['plain text', 'Olá, Ana & João'],
    ['a link whose query looks like a handler', '<a href="https://example.com/?conta=1&once=2">x</a>'],
    [
      'a style sheet',
      '<style>.on{background:url("https://example.com/a.png")} @media(x){a{color:red}}</style>',
    ],
    ['inline styles', '<p style="font: 12px Arial; background:url(\'https://example.com/a.png\')">x</p>'],
    ['a picture in the mail', '<img src="data:image/png;base64,iVBORw0KGgo=" alt="x">'],
    [
      'a table only for Outlook',
      '<!--[if (gte mso 9)|(IE)]><table><tr><td><![endif]-->x<!--[if mso]></td></tr></table><![endif]-->',
    ],
    [
      'settings for Outlook',
      '<!--[if mso]><noscript><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml></noscript><![endif]-->',
    ],
    ['what is not for Outlook', '<!--[if !mso]><!--><p>x</p><!--<![endif]-->'],
    ['onboarding in words', '<p>onboarding: on = off, onclick=1</p>'],
    ['code in words', '<p>&lt;script&gt;alert(1)&lt;/script&gt; javascript:void(0)</p>'],
    ['a comment about it', '<!-- no <script> here, no javascript: either -->'],
    ['an attribute called on', '<p on="off">x</p>'],
    ['a data attribute', '<p data-onclick="1">x</p>'],
    ['a link about it', '<a href="https://example.com/javascript:1">x</a>'],
    ['a book about it', '<img alt="JavaScript: o guia definitivo" title="javascript: 7ª edição">'],
    ['a label about it', '<a aria-label="JavaScript: curso">x</a>'],
    ['a mail address', '<a href="mailto:a@example.com?subject=javascript:">x</a>'],
    ['a refresh to a page', '<meta http-equiv="refresh" content="5; url=https://example.com">'],
    ['broken HTML', '<p><b>x</p></i><td'],
  ])('%s', (_case, html) => {
    expect(templateFaults(html)).toEqual([]);
  });
});

const SCRIPT = 'must not contain <script>';

describe('script', () => {
  it.each([
    ['plainly', '<script>alert(1)</script>'],
    ['in capitals', '<SCRIPT SRC=//example.com/x.js></SCRIPT>'],
    ['with a slash', '<script/x>alert(1)</script>'],
    ['never closed', '<p>x<script>alert(1)'],
    ['in SVG', '<svg><script>alert(1)</script></svg>'],
    ['in a template', '<template><script>alert(1)</script></template>'],
    ['in a shadow root', '<div><template shadowrootmode=open><script>1</script></template></div>'],
    ['after a broken comment', '<!--><script>alert(1)</script>-->'],
    ['for Outlook', '<!--[if mso]><script>alert(1)</script><![endif]-->'],
    ['for Outlook, never closed', '<!--[if gte mso 9]><script>alert(1)</script>'],
    ['in a frame', '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>'],
    ['for those without scripts', '<noscript><script>alert(1)</script></noscript>'],
  ])('is found %s', (_case, html) => {
    expect(templateFaults(html)).toEqual([SCRIPT]);
  });
});

describe('javascript:', () => {
  it.each([
    ['plainly', '<a href="javascript:alert(1)">x</a>', 'href on <a>'],
    ['in capitals', '<a href="JaVaScRiPt:alert(1)">x</a>', 'href on <a>'],
    ['after spaces', '<a href="  javascript:alert(1)">x</a>', 'href on <a>'],
    ['by entities', '<a href="&#106;&#x61;vascript&colon;alert(1)">x</a>', 'href on <a>'],
    ['by entities without an end', '<a href="&#0000106avascript:alert(1)">x</a>', 'href on <a>'],
    ['with a tab', '<a href="java&Tab;script:alert(1)">x</a>', 'href on <a>'],
    ['with a line break', '<a href="java\nscript\r:alert(1)">x</a>', 'href on <a>'],
    ['after a control character', '<a href="\u0001javascript:alert(1)">x</a>', 'href on <a>'],
    ['without quotes', '<a href=javascript:alert(1)>x</a>', 'href on <a>'],
    ['as VBScript', '<a href="vbscript:x">x</a>', 'href on <a>'],
    ['in a form', '<form action="javascript:x"></form>', 'action on <form>'],
    ['in a button', '<button formaction="javascript:x">x</button>', 'formaction on <button>'],
    ['in a frame', '<iframe src="javascript:x"></iframe>', 'src on <iframe>'],
    ['in a frame’s document', `<iframe srcdoc="<a href='javascript:x'>x</a>"></iframe>`, 'href on <a>'],
    ['in a background', '<td background="javascript:x">', 'background on <td>', '<table><tr>'],
    ['in an SVG link', '<svg><a xlink:href="javascript:x">x</a></svg>', 'href on <a>'],
    ['in an SVG animation', '<svg><animate values="#;javascript:x"/></svg>', 'values on <animate>'],
    ['in a list of pictures', '<img srcset="a.png 1x, javascript:x 2x">', 'srcset on <img>'],
    ['in a style', '<p style="background: URL( \'javascript:x\')">x</p>', 'style on <p>'],
    ['in a refresh', '<meta http-equiv=refresh content="0; url=javascript:x">', 'content on <meta>'],
    ['in a quoted refresh', `<meta http-equiv=refresh content="0; url='javascript:x'">`, 'content on <meta>'],
    ['in a bare refresh', '<meta http-equiv=refresh content="0;javascript:x">', 'content on <meta>'],
    ['for Outlook', '<!--[if mso]><a href="javascript:x">x</a><![endif]-->', 'href on <a>'],
    ['for those without scripts', '<noscript><a href="javascript:x">x</a></noscript>', 'href on <a>'],
    ['in a style sheet', '<style>p{background:url( "javascript:x")}</style>', 'inside <style>'],
    ['in an imported style sheet', "<style>@import 'javascript:x';</style>", 'inside <style>'],
  ])('is found %s', (_case, html, where, before = '') => {
    expect(templateFaults(before + html)).toEqual([`must not contain javascript: (${where})`]);
  });
});

describe('event handlers', () => {
  it.each([
    ['onclick', '<a onclick="x()">x</a>', 'a'],
    ['onerror', '<img src=x OnError=x()>', 'img'],
    ['onload', '<body onload=x()>', 'body'],
    ['onload', '<svg/onload=x()>', 'svg'],
    ['onbegin', '<svg><set onbegin=x()></svg>', 'set'],
    ['ontoggle', '<details open ontoggle=x()>', 'details'],
    ['onpointerrawupdate', '<p onpointerrawupdate=x()>', 'p'],
    ['onwebkitanimationend', '<p onwebkitanimationend=x()>', 'p'],
    ['onfocus', '<p title="a"onfocus=x()>', 'p'],
    ['onmouseover', '<p/title/onmouseover=x()>', 'p'],
    ['onclick', '<p onclick>', 'p'],
    ['onclick', '<!--[if mso]><p onclick=x()><![endif]-->', 'p'],
    ['onerror', '<noscript><p title="</noscript><img src=x onerror=x()>">', 'img'],
  ])('%s is found in %s', (handler, html, element) => {
    expect(templateFaults(html)).toContain(`must not contain event handlers (${handler} on <${element}>)`);
  });
});

it('tells every fault, each once', () => {
  const html = '<script>1</script><script>2</script><a href="javascript:1" onclick=1>x</a>';
  expect(templateFaults(html).sort()).toEqual(
    [
      SCRIPT,
      'must not contain event handlers (onclick on <a>)',
      'must not contain javascript: (href on <a>)',
    ].sort(),
  );
});

it.each([[''], [' \n\t']])('%j is empty', (html) => {
  expect(templateFaults(html)).toEqual(['must not be empty']);
});

it('is measured in bytes', () => {
  expect(templateFaults('é'.repeat(262_144))).toEqual([]);
  expect(templateFaults(`${'é'.repeat(262_144)}a`)).toEqual(['must be at most 524288 bytes']);
});

it.each([
  ['many elements', '<p>'.repeat(174_000)],
  ['deep elements', '<div>'.repeat(100_000)],
  ['many attributes', `<p ${Array.from({ length: 20_000 }, (_, n) => `a${n}`).join(' ')}>`],
])('stands %s', (_case, html) => {
  expect(templateFaults(html)).toEqual([]);
});

it('looks into four documents within each other, and into no fifth', () => {
  const nested = (html: string, deep: number): string =>
    deep === 0
      ? html
      : nested(`<iframe srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`, deep - 1);
  expect(templateFaults(nested('<p>x</p>', 4))).toEqual([]);
  expect(templateFaults(nested('<script>1</script>', 4))).toEqual([SCRIPT]);
  expect(templateFaults(nested('<p>x</p>', 5))).toEqual([expect.stringMatching(/^must not nest/)]);
});

it.each([
  ['conditional comments', '<!--[if mso]>'],
  ['noscript', '<noscript>'],
])('refuses %s within each other without end', (_case, opening) => {
  expect(templateFaults(opening.repeat(30_000))).toEqual([expect.stringMatching(/^must not nest/)]);
});

it('takes linear time where a tree would take quadratic time', () => {
  // Built as a tree, each paragraph reopens every formatting element before it: minutes at this size.
  const html = '<b><i><u><a>'.repeat(2_000) + '<p>'.repeat(60_000);
  expect(templateFaults(html)).toEqual([]);
});
