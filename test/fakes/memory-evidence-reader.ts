import { normaliseAddress } from '../../shared/domain/email-address.ts';
import type { EmailSendJobData } from '../../shared/domain/email-job.ts';
import type { Evidence } from '../../shared/domain/validations.ts';
import type { EvidenceReader } from '../../shared/ports/sending-evidence.ts';
import type { MemoryBodyStore } from './memory-body-store.ts';
import type { MemoryEmailStore } from './memory-email-store.ts';
import type { MemoryTenantStore } from './memory-tenant-store.ts';

export interface Readable {
  readonly emails: MemoryEmailStore;
  readonly tenants: MemoryTenantStore;
  readonly bodies: MemoryBodyStore;
}

export function memoryEvidenceReader(stores: Readable): EvidenceReader {
  return {
    read: (jobs) => Promise.allSettled(jobs.map((job) => Promise.resolve(evidenceOf(job, stores)))),
  };
}

function evidenceOf(job: EmailSendJobData, { emails, tenants, bodies }: Readable): Evidence {
  const content = bodies.find(job.htmlRef);
  const addresses = [job.to, ...(job.cc ?? []), ...(job.bcc ?? [])];
  return {
    email: emails.find(job.outboxId),
    recipient: tenants.recipients.get(job.recipient.recipientId ?? job.recipientRef),
    suppressed: new Set(
      addresses.filter((address) => tenants.isSuppressed(job.companyId, address)).map(normaliseAddress),
    ),
    body: content && { content, intact: true },
  };
}
