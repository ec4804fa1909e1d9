import type { Recipient } from '../../shared/domain/company.ts';
import type { EmailSendJobData } from '../../shared/domain/email-job.ts';
import type { SenderPorts } from './ports.ts';

/** Writes the recipient only if the mail says something new about it. */
export async function rememberRecipient(
  job: EmailSendJobData,
  known: Recipient | undefined,
  ports: Pick<SenderPorts, 'tenants' | 'now'>,
): Promise<void> {
  const { externalId, cpfCnpjHash, razaoSocial, nome, email } = job.recipient;
  const said = Object.fromEntries(
    Object.entries({ externalId, cpfCnpjHash, razaoSocial, nome, email }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Pick<Recipient, 'email'>;
  const news = Object.entries(said).some(([field, value]) => known?.[field as keyof Recipient] !== value);
  if (!news) return;
  const at = new Date(ports.now()).toISOString();
  await ports.tenants.putRecipient({
    createdAt: at,
    ...known,
    ...said,
    recipientId: job.recipient.recipientId ?? job.recipientRef,
    companyId: job.companyId,
    updatedAt: at,
  });
}
