import {
  EMAIL_STATUSES,
  isLive,
  isSent,
  TRANSITIONS,
  type EmailStatus,
} from '../../shared/domain/email-state.ts';
import { table } from './markdown.ts';

const MEANING: Record<EmailStatus, string> = {
  SCHEDULED: 'Accepted; its `sendAt` lies ahead.',
  PENDING: 'Accepted, and due.',
  SENT_ATTEMPT: 'A sender has claimed it and is calling SES, or died while it did.',
  RETRY_SCHEDULED: 'An attempt failed and there will be another.',
  SENT: 'SES has it.',
  FAILED: 'Given up, with a reason. It is in the dead-letter queue and can be redriven for 7 days.',
  EXPIRED: 'Its time ran out before it could be sent.',
  CANCELED: 'Its owner took it back in time.',
  DELIVERED: "The recipient's mail server took it.",
  BOUNCED: "The recipient's mail server refused it for good.",
  COMPLAINED: 'The recipient called it spam.',
};

export function lifecyclePage(): string {
  return `# The life of a mail

<!-- Printed by \`npm run docs\` from shared/domain/email-state.ts. -->

A mail is in one of these states. RECEIVED, VALIDATED and VALIDATION_FAILED are passed within one write: they are
events on the timeline, not states.

${table(
  ['state', 'means', 'somebody still works on it', 'SES has it'],
  EMAIL_STATUSES.map((status) => [
    status,
    MEANING[status],
    status === 'SCHEDULED' || isLive(status) ? 'yes' : 'no',
    isSent(status) ? 'yes' : 'no',
  ]),
)}

\`\`\`mermaid
stateDiagram-v2
  [*] --> PENDING
  [*] --> SCHEDULED
${diagram().join('\n')}
\`\`\`

## Every step there is

A step that is not in this table is an error, never a write. Each write is conditional on what was read before it.

${table(
  ['from', 'command', 'to', 'who'],
  TRANSITIONS.map(({ from, command, to, who }) => [from, command, to, who.join(', ')]),
)}
`;
}

function diagram(): string[] {
  const steps = TRANSITIONS.filter(({ from, to }) => from !== to);
  const arrows = new Map<string, string[]>();
  for (const { from, to, command } of steps) {
    const arrow = `${from} --> ${to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), command]);
  }
  return [...arrows].map(([arrow, commands]) => `  ${arrow}: ${commands.join(', ')}`);
}
