import { fingerprint, matchesFingerprint } from '../../shared/domain/fingerprint.ts';
import type { Email } from '../../shared/domain/email.ts';
import type { Keyring } from '../../shared/domain/keyring.ts';
import { newEmail, outboxIdFor, type Caller } from '../../shared/domain/new-email.ts';
import type { SendRequest } from '../../shared/domain/send-request.ts';
import type { BodyStore } from '../../shared/ports/body-store.ts';
import type { EmailStore } from '../../shared/ports/email-store.ts';

export interface AcceptPorts {
  readonly emails: EmailStore;
  readonly bodies: BodyStore;
  readonly keyring: Keyring;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface Submission {
  readonly request: SendRequest;
  /** The body as it arrived, before defaults. */
  readonly received: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey?: string | undefined;
}

export type Acceptance =
  | { readonly outcome: 'accepted' | 'replayed'; readonly email: Email }
  | { readonly outcome: 'conflict'; readonly outboxId: string };

/** Body first, then the mail: a crash in between leaves a body that nobody refers to, and that dies by its TTL. */
export async function acceptEmail(submission: Submission, ports: AcceptPorts): Promise<Acceptance> {
  const { request, received, caller, requestId, idempotencyKey } = submission;
  const now = ports.now();
  // A rehearsal with a test key must not stand in the way of the real mail.
  const owner = caller.mode === 'test' ? `${caller.companyId}:test` : caller.companyId;
  const outboxId = outboxIdFor(request, owner, idempotencyKey, now, ports.random);
  const draft = newEmail(
    request,
    caller,
    { outboxId, requestId, htmlRef: '', fingerprint: fingerprint(ports.keyring, received) },
    ports.keyring,
    now,
  );
  const body = { html: request.html, ...(request.text !== undefined && { text: request.text }) };
  const htmlRef = await ports.bodies.put(
    { companyId: caller.companyId, outboxId, expiresAt: draft.expiresAt },
    body,
  );
  const email: Email = { ...draft, htmlRef };

  const result = await ports.emails.insert(email);
  if (result.inserted) return { outcome: 'accepted', email };
  const same =
    request.dedupe !== undefined || matchesFingerprint(ports.keyring, result.existing.fingerprint, received);
  return same ? { outcome: 'replayed', email: result.existing } : { outcome: 'conflict', outboxId };
}
