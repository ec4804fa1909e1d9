import type { SesError } from '../../shared/domain/failures.ts';
import type { Mailer, OutgoingMail, SendResult } from '../../shared/ports/mailer.ts';

/** What SES does with one call. `accepts`: it has the mail, whatever the caller is told. */
export interface SesOutcome {
  readonly accepts: boolean;
  readonly error?: SesError;
}

const typed = (name: string, message: string, status = 400): SesError => ({
  name,
  message,
  status,
  typed: true,
});
const refusal = (error: SesError): SesOutcome => ({ accepts: false, error });
const TIMED_OUT: SesError = { name: 'TimeoutError', message: 'no answer in time', typed: false };
const RESET: SesError = { name: 'ECONNRESET', message: 'socket hang up', typed: false };

export const ses = {
  accepts: { accepts: true },
  acceptsThenTimesOut: { accepts: true, error: TIMED_OUT },
  acceptsThenResets: { accepts: true, error: RESET },
  timesOut: refusal(TIMED_OUT),
  throttles: refusal(typed('TooManyRequestsException', 'Maximum sending rate exceeded.', 429)),
  dailyQuota: refusal(typed('LimitExceededException', 'Daily message quota exceeded.')),
  pauses: refusal(typed('SendingPausedException', 'sending is paused')),
  unavailable: refusal(typed('ServiceUnavailableException', 'try later', 503)),
  rejects: refusal(typed('MessageRejected', 'Email address is not verified.')),
  misconfigured: refusal(typed('NotFoundException', 'configuration set does not exist', 404)),
  unreachable: refusal({
    name: 'ECONNREFUSED',
    message: 'connection refused',
    beforeConnecting: true,
    typed: false,
  }),
} as const satisfies Record<string, SesOutcome>;

/** Does what the script says, call by call; after its end, what `then` says. */
export class ScriptedMailer implements Mailer {
  readonly calls: OutgoingMail[] = [];
  readonly accepted: { readonly mail: OutgoingMail; readonly messageId: string }[] = [];

  constructor(
    private readonly script: SesOutcome[] = [],
    private readonly then: SesOutcome = ses.accepts,
  ) {}

  /** Nothing of the script is left. */
  calmDown(): void {
    this.script.length = 0;
  }

  send(mail: OutgoingMail): Promise<SendResult> {
    this.calls.push(mail);
    const { accepts, error } = this.script.shift() ?? this.then;
    const messageId = `ses-${this.accepted.length + 1}`;
    if (accepts) this.accepted.push({ mail, messageId });
    return Promise.resolve(error ? { sent: false, error } : { sent: true, messageId });
  }
}
