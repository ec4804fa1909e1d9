import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../local/journal.ts';
import { aTemporaryFolder } from '../../factories/a-temporary-folder.ts';

const folder = aTemporaryFolder();
const path = () => join(folder(), 'deep', 'a.journal');

/** What another process would find now, without the first one having closed anything. */
function afterCrash<T>(): Array<[string, T]> {
  const journal = Journal.open<T>(path());
  const entries = [...journal.entries()];
  journal.close();
  return entries;
}

describe('a journal', () => {
  it('has every change on disk before the call returns', () => {
    const journal = Journal.open<number>(path());
    journal.set('a', 1);
    journal.set('b', 2);
    journal.set('a', 3);
    journal.delete('b');
    journal.set('c', 4);
    expect(readFileSync(path(), 'utf8')).toBe('["a",1]\n["b",2]\n["a",3]\n["b"]\n["c",4]\n');
    expect([...journal.entries()]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
    expect([journal.size, journal.get('a'), journal.get('b')]).toEqual([2, 3, undefined]);
    journal.close();
    expect(afterCrash()).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('writes nothing for deleting what is not there', () => {
    const journal = Journal.open(path());
    journal.delete('nothing');
    journal.close();
    expect(readFileSync(path(), 'utf8')).toBe('');
  });

  it('drops a line that a crash cut short, wherever it was cut', () => {
    const journal = Journal.open<string>(path());
    journal.set('whole', 'é');
    const before = statSync(path()).size;
    journal.set('torn', 'línea\n"cut"');
    journal.close();
    const full = readFileSync(path());
    // From one byte of the line to all but its closing bracket.
    for (let size = before + 1; size <= full.length - 2; size += 1) {
      writeFileSync(path(), full);
      truncateSync(path(), size);
      expect(afterCrash()).toEqual([['whole', 'é']]);
    }
  });

  it('goes on cleanly after a line that was cut short', () => {
    const first = Journal.open<number>(path());
    first.set('a', 1);
    first.close();
    appendFileSync(path(), '["b",2');
    const second = Journal.open<number>(path());
    second.set('c', 3);
    second.close();
    expect(afterCrash()).toEqual([
      ['a', 1],
      ['c', 3],
    ]);
  });

  it('forgets on opening what is no longer true', () => {
    const journal = Journal.open<number>(path());
    for (let i = 0; i < 50; i += 1) journal.set('same', i);
    journal.close();
    Journal.open<number>(path()).close();
    expect(readFileSync(path(), 'utf8')).toBe('["same",49]\n');
  });

  it('does not grow without bound while it is open, and loses nothing by that', () => {
    const journal = Journal.open<number>(path());
    journal.set('kept', -1);
    for (let i = 0; i < 25_000; i += 1) journal.set('same', i);
    const lines = readFileSync(path(), 'utf8').trimEnd().split('\n').length;
    expect(lines).toBeLessThan(11_000);
    journal.set('last', 1);
    journal.close();
    expect(afterCrash()).toEqual([
      ['kept', -1],
      ['same', 24_999],
      ['last', 1],
    ]);
  });

  it('survives a crash in the middle of being rewritten', () => {
    const journal = Journal.open<number>(path());
    journal.set('a', 1);
    journal.close();
    writeFileSync(`${path()}.new`, '["a"');
    expect(afterCrash()).toEqual([['a', 1]]);
    expect(existsSync(`${path()}.new`)).toBe(false);
  });
});
