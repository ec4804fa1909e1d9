import { checkSendRequest, type SendRequest } from '../../shared/domain/send-request.ts';
import { NOW } from './moments.ts';

/** The smallest body that `POST /v1/email/send` takes, as the partner wrote it, with `overrides` over it. */
export function aSendBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { to: 'cliente@example.com', subject: 'Olá', html: '<p>Olá</p>', ...overrides };
}

/** The same, checked and with its defaults. */
export function aSendRequest(overrides: Record<string, unknown> = {}): SendRequest {
  const checked = checkSendRequest(aSendBody(overrides), NOW);
  if (!checked.ok) throw new Error(`not a valid request: ${JSON.stringify(checked.faults)}`);
  return checked.request;
}
