import { COMPANY_ID } from './a-company.ts';
import { OUTBOX_ID } from './an-email.ts';
import { iso, NOW } from './moments.ts';

export const SES_MESSAGE_ID = 'ses-1';

/** The detail of an event that SES publishes, about a mail of ours. */
export function aSesEvent(
  eventType: string,
  about: Record<string, unknown> = {},
  mail: { messageId?: string; tags?: Record<string, string[]> } = {},
): Record<string, unknown> {
  return {
    eventType,
    mail: {
      timestamp: iso(NOW),
      messageId: SES_MESSAGE_ID,
      source: 'no-reply@gateway.example',
      tags: {
        'ses:operation': ['SendEmail'],
        outboxId: [OUTBOX_ID],
        companyId: [COMPANY_ID],
        attempt: ['1'],
      },
      ...mail,
    },
    ...about,
  };
}
