import { posix } from 'node:path';
import ts from 'typescript';

/** The one word that names a room's folder, its construct, its metrics and its chapter. */
export const ROOM_WORDS = ['authorizer', 'api', 'mailing', 'relay', 'sender', 'feedback', 'sweeper'] as const;

const DOMAIN_PACKAGES = ['node:crypto', 'zod', 'parse5-sax-parser'];
const MAY_IMPORT_LOCAL = ['local', 'test', 'bench', 'ops'];
const MAY_READ_ENVIRONMENT = ['bin', 'local', 'ops', 'test', 'bench'];
const LONGEST_HANDLER = 62;
const SAYS_NOTHING = /^(?:.*-)?(?:utils?|helpers?|common|managers?)$/;

/** What makes a function depend on more than its arguments. */
const IMPURE: readonly [RegExp, string][] = [
  [/\bDate\.now\b/, 'reads the clock (Date.now)'],
  [/\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()/, 'reads the clock (new Date)'],
  [/(?<![.\w]|new )Date\(/, 'reads the clock (Date())'],
  [/\bperformance\.now\b/, 'reads the clock (performance.now)'],
  [/\bMath\.random\b/, 'is random (Math.random)'],
  [/\brandom(?:UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b/, 'is random (node:crypto)'],
];

/** Everything by which one file, given its path from the project's root, breaks the rules of the house. */
export function boundaryFaults(path: string, source: string): string[] {
  const code = withoutComments(source);
  return [...importFaults(path, source), ...contentFaults(path, code), ...nameFaults(path, source, code)];
}

function importFaults(path: string, source: string): string[] {
  const imported = ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
  return imported
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
    .filter((name) => !mayImport(path, name))
    .map((name) => `imports ${name}`);
}

function mayImport(path: string, imported: string): boolean {
  const fromRoot = /^(?:bin|lib|lambdas|shared|local|test|bench|ops|console|client)\//.test(imported);
  const isPackage = !fromRoot && !imported.startsWith('.');
  const within = (...folders: string[]) => folders.some((folder) => imported.startsWith(`${folder}/`));
  const [top = '', second = ''] = path.split('/');

  if (within('local') && !MAY_IMPORT_LOCAL.includes(top)) return false;
  switch (`${top}/${second}`) {
    case 'shared/domain':
      return DOMAIN_PACKAGES.includes(imported) || within('shared/domain');
    case 'shared/ports':
      return within('shared/domain', 'shared/ports');
    case 'shared/adapters':
      return isPackage || within('shared/domain', 'shared/ports', 'shared/adapters');
  }
  if (top === 'lambdas') return isPackage || within('shared', `lambdas/${second}`);
  if (top === 'lib')
    return isPackage || within('lib', 'shared/domain') || imported === 'lambdas/api/routes.ts';
  return true;
}

function contentFaults(path: string, code: string): string[] {
  const [top = ''] = path.split('/');
  const faults: string[] = [];
  if (path.startsWith('shared/domain/')) {
    for (const [pattern, fault] of IMPURE) if (pattern.test(code)) faults.push(fault);
  }
  const mayReadEnvironment = MAY_READ_ENVIRONMENT.includes(top) || posix.basename(path) === 'env.ts';
  if (!mayReadEnvironment && /\bprocess\s*\.\s*env\b|\bprocess\s*\[/.test(code))
    faults.push('reads process.env');
  if (/\bvi\s*\.\s*mock\(/.test(code)) faults.push('mocks a module');
  return faults;
}

function nameFaults(path: string, source: string, code: string): string[] {
  const faults: string[] = [];
  const parts = path.replace(/(?:\.test)?\.tsx?$/, '').split('/');
  for (const part of parts) if (SAYS_NOTHING.test(part)) faults.push(`is called ${part}`);
  if (parts.at(-1) === 'index' || isBarrel(code)) faults.push('is a barrel');
  if (/^lambdas\/[^/]+\/handler\.ts$/.test(path)) {
    const lines = source.trimEnd().split('\n').length;
    if (lines > LONGEST_HANDLER) faults.push(`is a handler of ${lines} lines`);
  }
  return faults;
}

/** Nothing but names of other files. */
function isBarrel(code: string): boolean {
  const rest = code.replace(
    /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/g,
    '',
  );
  return code.trim() !== '' && rest.trim() === '';
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
