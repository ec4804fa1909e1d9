import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearReadyFile, writeReadyFile, type ReadyInfo } from '../../../local/ready-file.ts';
import { StartError } from '../../../local/start-error.ts';
import { aTemporaryFolder } from '../../factories/a-temporary-folder.ts';

const folder = aTemporaryFolder();
const info = { apiUrl: 'http://127.0.0.1:1', consoleUrl: null } as ReadyInfo;

describe('the ready file', () => {
  it('is there from writing it to removing it, with nothing beside it', () => {
    const path = join(folder(), 'ready.json');
    const remove = writeReadyFile(path, info);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(info);
    expect(readdirSync(folder())).toEqual(['ready.json']);
    remove();
    remove();
    expect(readdirSync(folder())).toEqual([]);
  });

  it('may be for its owner only', () => {
    const path = join(folder(), 'ready.json');
    writeReadyFile(path, info, 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that a killed process left is cleared away', () => {
    const path = join(folder(), 'ready.json');
    writeFileSync(path, 'old');
    clearReadyFile(path);
    expect(readdirSync(folder())).toEqual([]);
    clearReadyFile(path);
  });

  it.each([
    ['nowhere', 'nowhere/ready.json', 'ENOENT'],
    ['below a file', 'file/ready.json', 'ENOTDIR'],
    ['a folder', 'folder', 'ERR_FS_EISDIR'],
  ])('is refused before anything starts if it would be %s', (_where, name, code) => {
    writeFileSync(join(folder(), 'file'), '');
    mkdirSync(join(folder(), 'folder'));
    const path = join(folder(), name);
    expect(() => clearReadyFile(path)).toThrow(
      new StartError(`Cannot write the ready file ${path} (${code}).`),
    );
  });
});
