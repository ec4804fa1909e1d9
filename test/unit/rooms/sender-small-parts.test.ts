import { describe, expect, it } from 'vitest';
import { createPacer, shareOfRate } from '../../../lambdas/sender/pacer.ts';
import { rememberRecipient } from '../../../lambdas/sender/remember-recipient.ts';
import { isServiceTrouble } from '../../../lambdas/sender/service-trouble.ts';
import { tenantFigures } from '../../../lambdas/sender/tenant-figures.ts';
import { COMPANY_ID, OTHER_COMPANY_ID } from '../../factories/a-company.ts';
import { aJob } from '../../factories/a-job.ts';
import { aRecipient, RECIPIENT_ID } from '../../factories/a-recipient.ts';
import { iso, MINUTE, NOW, SECOND } from '../../factories/moments.ts';
import { MemoryTenantStore } from '../../fakes/memory-tenant-store.ts';
import { serviceError } from '../../fakes/service-error.ts';
import { TestClock } from '../../fakes/test-clock.ts';

describe('the pacer', () => {
  const rate = (perSecond: number) => () => Promise.resolve(perSecond);

  it('lets a second’s worth go at once, and spreads the rest', async () => {
    const clock = new TestClock();
    const pace = createPacer(rate(10), clock.now, clock.sleep);
    for (let mail = 0; mail < 10; mail += 1) await pace(1);
    expect(clock.now()).toBe(NOW);
    for (let mail = 0; mail < 20; mail += 1) await pace(1);
    // The last of thirty leaves when those before it have used up their time.
    expect(clock.now()).toBe(NOW + 1_900);
  });

  it('counts recipients, not mails', async () => {
    const clock = new TestClock();
    const pace = createPacer(rate(10), clock.now, clock.sleep);
    for (let mail = 0; mail < 4; mail += 1) await pace(5);
    expect(clock.now()).toBe(NOW + 500);
  });

  it('saves up no more than a second', async () => {
    const clock = new TestClock();
    const pace = createPacer(rate(10), clock.now, clock.sleep);
    await pace(1);
    clock.advance(MINUTE);
    const resumed = clock.now();
    for (let mail = 0; mail < 21; mail += 1) await pace(1);
    expect(clock.now()).toBe(resumed + SECOND);
  });

  it('gives parallel mails their turns one after the other', async () => {
    const clock = new TestClock();
    const waits: number[] = [];
    const sleep = (ms: number) => Promise.resolve(void waits.push(ms));
    const pace = createPacer(rate(1), clock.now, sleep);
    await Promise.all([pace(1), pace(1), pace(1), pace(1)]);
    expect(waits).toEqual([SECOND, 2 * SECOND]);
  });
});

describe('this instance’s share of the rate', () => {
  it('is asked for every five minutes', async () => {
    const clock = new TestClock();
    let asked = 0;
    const share = shareOfRate(() => Promise.resolve((asked += 1) * 100), 20, clock.now);
    expect(await share()).toBe(5);
    clock.advance(5 * MINUTE - 1);
    expect(await share()).toBe(5);
    clock.advance(1);
    expect(await share()).toBe(10);
  });

  it('is never nothing', async () => {
    expect(
      await shareOfRate(
        () => Promise.resolve(1),
        100,
        () => NOW,
      )(),
    ).toBe(0.1);
  });
});

describe('the recipient', () => {
  const ports = () => ({ tenants: new MemoryTenantStore(), now: () => NOW });
  const said = { externalId: 'CUST-12345', nome: 'João da Silva', email: 'cliente@example.com' };

  it('is written when it is new', async () => {
    const { tenants, now } = ports();
    await rememberRecipient(aJob(), undefined, { tenants, now });
    expect(tenants.recipients.get(RECIPIENT_ID)).toEqual({
      ...said,
      recipientId: RECIPIENT_ID,
      companyId: COMPANY_ID,
      createdAt: iso(NOW),
      updatedAt: iso(NOW),
    });
  });

  it('is not written when the mail says nothing new', async () => {
    const { tenants, now } = ports();
    await rememberRecipient(aJob(), aRecipient({ ...said, razaoSocial: 'Padaria Ltda' }), { tenants, now });
    expect(tenants.recipients.size).toBe(0);
  });

  it('keeps what the mail does not say', async () => {
    const { tenants, now } = ports();
    const known = aRecipient({ razaoSocial: 'Padaria Ltda', nome: 'J. Silva' });
    await rememberRecipient(aJob(), known, { tenants, now });
    expect(tenants.recipients.get(RECIPIENT_ID)).toEqual({
      ...known,
      nome: 'João da Silva',
      updatedAt: iso(NOW),
    });
  });

  it('named by its id is written under that id', async () => {
    const { tenants, now } = ports();
    const recipient = { ...aJob().recipient, recipientId: OTHER_COMPANY_ID };
    await rememberRecipient(aJob({ recipient }), undefined, { tenants, now });
    expect([...tenants.recipients.keys()]).toEqual([OTHER_COMPANY_ID]);
  });
});

describe('trouble of a service', () => {
  it.each([
    ['an answer of AWS', serviceError('ProvisionedThroughputExceededException'), true],
    ['a time-out', Object.assign(new Error('slow'), { name: 'TimeoutError' }), true],
    ['a reset', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), true],
    ['a name that nobody knows', Object.assign(new Error('dns'), { code: 'ENOTFOUND' }), true],
    ['fetch’s own', Object.assign(new Error('socket'), { code: 'UND_ERR_SOCKET' }), true],
    ['a bug', new TypeError('x is not a function'), false],
    ['a bug with a code of Node', Object.assign(new Error('arg'), { code: 'ERR_INVALID_ARG_TYPE' }), false],
    ['a code that is a number', Object.assign(new Error('x'), { code: 500 }), false],
    ['a word', 'ECONNRESET', false],
    ['nothing', undefined, false],
    ['null', null, false],
  ])('%s', (_, error, expected) => {
    expect(isServiceTrouble(error)).toBe(expected);
  });
});

it('the figures are those of the companies just served, and they add up', () => {
  const clock = new TestClock();
  const served = tenantFigures(clock.now);
  expect(served([COMPANY_ID, COMPANY_ID])).toMatchObject([{ companyId: COMPANY_ID, totalProcessed: 2 }]);
  clock.advance(SECOND);
  expect(served([OTHER_COMPANY_ID])).toMatchObject([{ companyId: OTHER_COMPANY_ID, totalProcessed: 1 }]);
  clock.advance(SECOND);
  expect(served([COMPANY_ID, OTHER_COMPANY_ID])).toMatchObject([
    { companyId: COMPANY_ID, totalProcessed: 3, lastProcessedAt: iso(NOW + 2 * SECOND) },
    { companyId: OTHER_COMPANY_ID, totalProcessed: 2 },
  ]);
  expect(served([])).toEqual([]);
});
