import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JumpingClock, ManualClock, systemClock } from '../../../local/clock.ts';
import { DAY, NOW, SECOND } from '../../factories/moments.ts';

describe('a clock moved by hand', () => {
  it('stands still until then', () => {
    const clock = new ManualClock(NOW);
    expect([clock.now(), clock.now()]).toEqual([NOW, NOW]);
    clock.advance(5);
    expect(clock.now()).toBe(NOW + 5);
  });

  it('runs what falls due, each at its own time and in that order', () => {
    const clock = new ManualClock(0);
    const ran: Array<[string, number]> = [];
    const at = (ms: number, name: string) => clock.after(ms, () => ran.push([name, clock.now()]));
    at(30, 'late');
    at(10, 'early');
    at(10, 'early too');
    at(31, 'not yet');
    clock.after(5, () => at(10, 'from within'));
    at(-5, 'overdue');
    clock.advance(30);
    expect(ran).toEqual([
      ['overdue', 0],
      ['early', 10],
      ['early too', 10],
      ['from within', 15],
      ['late', 30],
    ]);
    expect(clock.now()).toBe(30);
  });

  it('runs nothing that was cancelled, not even on the way', () => {
    const clock = new ManualClock(0);
    const ran: string[] = [];
    const cancel = clock.after(20, () => ran.push('cancelled'));
    clock.after(10, cancel);
    clock.advance(100);
    expect(ran).toEqual([]);
  });

  it('runs each thing once', () => {
    const clock = new ManualClock(0);
    let runs = 0;
    clock.after(10, () => (runs += 1));
    clock.advance(10);
    clock.advance(10);
    expect(runs).toBe(1);
  });
});

describe('with timers of the test', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  describe('a clock that can jump', () => {
    it('runs like real time', () => {
      const clock = new JumpingClock();
      let runs = 0;
      clock.after(10, () => (runs += 1));
      vi.advanceTimersByTime(9);
      expect([clock.now(), runs]).toEqual([NOW + 9, 0]);
      vi.advanceTimersByTime(1);
      expect([clock.now(), runs]).toEqual([NOW + 10, 1]);
    });

    it('runs what falls due in a jump, in order, and leaves the rest for its time', () => {
      const clock = new JumpingClock();
      const ran: string[] = [];
      clock.after(60 * SECOND, () => ran.push('a minute'));
      clock.after(1 * SECOND, () => ran.push('a second'));
      clock.after(90 * SECOND, () => ran.push('later'));
      clock.jump(60 * SECOND);
      vi.advanceTimersByTime(1);
      expect(ran).toEqual(['a second', 'a minute']);
      vi.advanceTimersByTime(30 * SECOND);
      expect(ran).toEqual(['a second', 'a minute', 'later']);
    });

    it('tells workers how far ahead it is, over several jumps', () => {
      const clock = new JumpingClock();
      clock.jump(5 * SECOND);
      clock.jump(DAY);
      expect(new Float64Array(clock.shift)[0]).toBe(DAY + 5 * SECOND);
      expect(clock.now()).toBe(NOW + DAY + 5 * SECOND);
    });

    it('counts from where it has jumped to', () => {
      const clock = new JumpingClock();
      clock.jump(DAY);
      let runs = 0;
      clock.after(10, () => (runs += 1));
      vi.advanceTimersByTime(9);
      expect(runs).toBe(0);
      vi.advanceTimersByTime(1);
      expect(runs).toBe(1);
    });

    it('does not run what was cancelled, before a jump or after it', () => {
      const clock = new JumpingClock();
      const ran: string[] = [];
      const before = clock.after(SECOND, () => ran.push('before'));
      const after = clock.after(DAY, () => ran.push('after'));
      before();
      clock.jump(SECOND);
      after();
      clock.jump(DAY);
      vi.advanceTimersByTime(DAY);
      expect(ran).toEqual([]);
    });
  });

  it.each([
    ['real time', () => systemClock],
    ['a clock that can jump', () => new JumpingClock()],
  ])('%s does not fire early after more than the 24.8 days that a timer can wait', (_name, create) => {
    const clock = create();
    let runs = 0;
    clock.after(60 * DAY, () => (runs += 1));
    vi.advanceTimersByTime(60 * DAY - 1);
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
  });

  it('real time forgets a long wait that was cancelled half-way', () => {
    let runs = 0;
    const cancel = systemClock.after(60 * DAY, () => (runs += 1));
    vi.advanceTimersByTime(30 * DAY);
    cancel();
    vi.advanceTimersByTime(60 * DAY);
    expect(runs).toBe(0);
  });
});
