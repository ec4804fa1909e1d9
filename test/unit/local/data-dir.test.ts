import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockDataDir } from '../../../local/data-dir.ts';
import { StartError } from '../../../local/start-error.ts';
import { aTemporaryFolder } from '../../factories/a-temporary-folder.ts';

const folder = aTemporaryFolder();
const lock = () => join(folder(), 'lock');

describe('the lock of a data dir', () => {
  it('names its holder, keeps others out and is given back', () => {
    const release = lockDataDir(folder());
    expect(readFileSync(lock(), 'utf8').split(' ')[0]).toBe(String(process.pid));
    expect(() => lockDataDir(folder())).toThrow(
      new StartError(`The data dir ${folder()} is in use by another Email Gateway (process ${process.pid}).`),
    );
    release();
    expect(readdirSync(folder())).toEqual([]);
    lockDataDir(folder())();
  });

  it.each([
    ['a process that is gone', '4194304 1'],
    ['an earlier process of the same number', `${process.pid} 1`],
    ['nobody', ''],
    ['nonsense', 'held'],
  ])('is taken over from %s', (_whom, content) => {
    writeFileSync(lock(), content);
    const release = lockDataDir(folder());
    expect(readFileSync(lock(), 'utf8').split(' ')[0]).toBe(String(process.pid));
    expect(readdirSync(folder())).toEqual(['lock']);
    release();
  });

  it('makes the folder, and removes it again as long as there is nothing in it', () => {
    const fresh = join(folder(), 'a', 'b');
    lockDataDir(fresh)();
    expect(existsSync(fresh)).toBe(false);
    const release = lockDataDir(fresh);
    writeFileSync(join(fresh, 'data'), '');
    release();
    expect(readdirSync(fresh)).toEqual(['data']);
  });

  it('leaves a folder that was there, though it is empty', () => {
    const empty = join(folder(), 'empty');
    mkdirSync(empty);
    lockDataDir(empty)();
    expect(existsSync(empty)).toBe(true);
  });

  it.each([
    ['is a file', 'file', 'EEXIST'],
    ['lies below a file', 'file/below', 'ENOTDIR'],
  ])('cannot be had where the path %s', (_why, path, code) => {
    writeFileSync(join(folder(), 'file'), '');
    const impossible = join(folder(), path);
    expect(() => lockDataDir(impossible)).toThrow(
      new StartError(`Cannot write to the data dir ${impossible} (${code}).`),
    );
  });
});
