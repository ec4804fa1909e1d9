import type { InvocationResult } from '../local/lambda/lambda-function.ts';
import type { TestGateway } from '../test/integration/gateway.ts';

/** One invocation of a room that came by, with how many records it carried. */
export interface Passage {
  readonly room: string;
  readonly records: number;
}

/** Stands before every function: counts who goes in, and holds rooms back until they may go. */
export class Gate {
  readonly passages: Passage[] = [];
  private readonly held = new Map<string, Array<() => void>>();

  constructor(gateway: TestGateway, rooms: readonly string[]) {
    const roomOf = new Map(rooms.map((room) => [gateway.functionOf(room), room]));
    gateway.local.host.intercept(({ functionName, event, run }) => {
      const room = roomOf.get(functionName) ?? functionName;
      const { Records } = event as { Records?: readonly unknown[] };
      this.passages.push({ room, records: Records?.length ?? 1 });
      const queue = this.held.get(room);
      if (!queue) return run();
      return new Promise<InvocationResult>((resolve) => queue.push(() => resolve(run())));
    });
  }

  hold(...rooms: string[]): void {
    for (const room of rooms) if (!this.held.has(room)) this.held.set(room, []);
  }

  /** How many invocations of the room are waiting. */
  waiting(room: string): number {
    return this.held.get(room)?.length ?? 0;
  }

  /** Lets in those that wait; those that come later wait again. */
  letThrough(room: string): void {
    for (const go of this.held.get(room)?.splice(0) ?? []) go();
  }

  open(...rooms: string[]): void {
    for (const room of rooms) {
      this.letThrough(room);
      this.held.delete(room);
    }
  }
}
