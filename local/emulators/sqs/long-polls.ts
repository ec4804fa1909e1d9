import type { Clock } from '../../clock.ts';
import { Deque } from './deque.ts';
import type { Message } from './message.ts';
import type { ReceiveRequest } from './queue.ts';

interface Waiter {
  readonly request: ReceiveRequest;
  readonly finish: (messages: Message[]) => void;
}

/** Receivers that wait for a message, first come first served; one that gets nothing goes on waiting. */
export class LongPolls {
  private readonly waiters = new Deque<Waiter>();

  constructor(
    private readonly clock: Clock,
    private readonly receive: (request: ReceiveRequest) => Message[],
  ) {}

  /** A caller that hangs up is passed over, so that no message goes to a closed connection. */
  async receiveWithin(waitMs: number, request: ReceiveRequest, hungUp: AbortSignal): Promise<Message[]> {
    if (hungUp.aborted) return [];
    const messages = this.receive(request);
    if (messages.length > 0 || waitMs === 0) return messages;
    return new Promise((resolve) => {
      const finish = (received: Message[]) => {
        cancelTimeout();
        hungUp.removeEventListener('abort', leave);
        this.waiters.delete(waiter);
        resolve(received);
      };
      const waiter: Waiter = { request, finish };
      const leave = () => finish([]);
      const cancelTimeout = this.clock.after(waitMs, () => finish(this.receive(request)));
      hungUp.addEventListener('abort', leave);
      this.waiters.push(waiter);
    });
  }

  serve(): void {
    for (;;) {
      const waiter = this.waiters.first();
      if (!waiter) return;
      const messages = this.receive(waiter.request);
      if (messages.length === 0) return;
      waiter.finish(messages);
    }
  }

  close(): void {
    for (let waiter; (waiter = this.waiters.first());) waiter.finish([]);
  }
}
