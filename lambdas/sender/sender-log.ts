import { emailFields, type Logger } from '../../shared/adapters/logger.ts';
import type { SenderLog } from './ports.ts';

export function senderLog(logger: Logger): SenderLog {
  return {
    state: (email, more = {}) => logger.info(`mail is ${email.status}`, { ...emailFields(email), ...more }),
    note: (message, more) => logger.info(message, more),
    error: (message, more) => logger.error(message, more),
  };
}
