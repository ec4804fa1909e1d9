import type { InvocationResult, Invocable } from '../../local/lambda/lambda-function.ts';

/** A function that answers as it is told (an Error is a failed invocation) and remembers what it was given. */
export class ScriptedFunction<Event = unknown> implements Invocable {
  readonly events: Event[] = [];

  constructor(private readonly answer: (event: Event, call: number) => unknown) {}

  async invoke(event: unknown): Promise<InvocationResult> {
    this.events.push(event as Event);
    const call = this.events.length;
    const requestId = `request-${call}`;
    const payload = await this.answer(event as Event, call);
    if (payload instanceof Error) {
      return { ok: false, requestId, error: { errorType: payload.name, errorMessage: payload.message } };
    }
    return { ok: true, requestId, payload };
  }
}
