import { formatBodyRef, serialiseBody, sha256, type MailBody } from '../../shared/domain/body.ts';
import type { BodyStore } from '../../shared/ports/body-store.ts';

type Owner = Parameters<BodyStore['put']>[0];

export class MemoryBodyStore implements BodyStore {
  readonly puts: { owner: Owner; body: MailBody; htmlRef: string }[] = [];
  private readonly bodies = new Map<string, MailBody>();

  put(owner: Owner, body: MailBody): Promise<string> {
    const hash = sha256(serialiseBody(body));
    const htmlRef = formatBodyRef({ store: 'dynamodb', outboxId: owner.outboxId, sha256: hash });
    this.puts.push({ owner, body, htmlRef });
    this.bodies.set(htmlRef, body);
    return Promise.resolve(htmlRef);
  }

  /** For mails that came into being without an api. */
  add(htmlRef: string, body: MailBody): void {
    this.bodies.set(htmlRef, body);
  }

  find(htmlRef: string): MailBody | undefined {
    return this.bodies.get(htmlRef);
  }
}
