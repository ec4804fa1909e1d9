import { describe, expect, it } from 'vitest';
import { emailFields, maskField } from '../../../shared/adapters/logger.ts';
import { anEmail } from '../../factories/an-email.ts';
import { capturedLogger } from '../../fakes/captured-logger.ts';

const SECRETS = {
  address: 'maria.silva@banco.example.com',
  cpf: '529.982.247-25',
  plainCpf: '52998224725',
  cnpj: '11.222.333/0001-81',
  key: `eg_live_abcdefghijkl_${'z'.repeat(40)}`,
  html: '<p>Segredo</p>',
  hash: 'deadbeef'.repeat(8),
};

/** What stands in the log after everybody was careless. */
function written(log: (logger: ReturnType<typeof capturedLogger>['logger']) => void): string {
  const { logger, output } = capturedLogger();
  log(logger);
  return output();
}

function expectSilence(text: string): void {
  expect(text).not.toBe('');
  for (const secret of [...Object.values(SECRETS), 'maria', 'banco', 'Segredo'])
    expect(text).not.toContain(secret);
}

describe('the log never carries', () => {
  it('the fields of a mail in the clear', () => {
    const text = written((logger) =>
      logger.info('careless', {
        to: SECRETS.address,
        cc: [SECRETS.address, SECRETS.address],
        bcc: [SECRETS.address],
        replyTo: SECRETS.address,
        subject: `Segredo para ${SECRETS.address}`,
        html: SECRETS.html,
        text: SECRETS.html,
        body: SECRETS.html,
        key: SECRETS.key,
        'x-api-key': SECRETS.key,
        recipient: { email: SECRETS.address, cpfCnpj: SECRETS.cpf, cpfCnpjHash: SECRETS.hash },
      }),
    );
    expectSilence(text);
    expect(text).toContain('m***@b***.com');
    expect(text).toContain('deadbeef...');
  });

  it('what others wrote into their messages', () => {
    const text = written((logger) => {
      logger.warn(`refused for ${SECRETS.address} (${SECRETS.cpf})`);
      logger.error('failed', { reason: `no such mailbox: <${SECRETS.address}>, CPF ${SECRETS.plainCpf}` });
      logger.error('failed', { error: new Error(`${SECRETS.address} of ${SECRETS.cnpj}`) });
      logger.error('failed', new Error(`nested`, { cause: new Error(`because of ${SECRETS.address}`) }));
    });
    expectSilence(text);
    expect(text.trim().split('\n')).toHaveLength(4);
  });

  it('a whole item, if somebody logs it', () => {
    const email = anEmail({
      to: SECRETS.address,
      recipient: { email: SECRETS.address, cpfCnpjHash: SECRETS.hash },
      subject: 'Segredo',
      events: [{ type: 'RECIPIENT_DROPPED', at: '', meta: { address: SECRETS.address } }],
    });
    expectSilence(written((logger) => logger.info('careless', { email })));
  });
});

it('ids and numbers stay readable', () => {
  const fields = emailFields(anEmail({ attempts: 3 }));
  const line = JSON.parse(written((logger) => logger.info('mail is SENT', fields))) as Record<
    string,
    unknown
  >;
  expect(line).toMatchObject({ message: 'mail is SENT', ...fields, attempt: 3, state: 'PENDING' });
});

it.each([
  ['attempt', 3, 3],
  ['sent', true, true],
  ['nothing', null, null],
  ['to', 7, 7],
  ['cc', [], []],
  ['note', 'plain words', 'plain words'],
])('%s: %j is logged as %j', (key, value, expected) => {
  expect(maskField(key, value)).toEqual(expected);
});
