import type { EmailSendJobData } from '../domain/email-job.ts';
import type { Evidence } from '../domain/validations.ts';

export interface EvidenceReader {
  /**
   * One consistent read for the whole batch, in the order of the jobs; bodies in S3 come on top. A body that cannot
   * be read is the trouble of its own mail only.
   */
  read(jobs: readonly EmailSendJobData[]): Promise<readonly PromiseSettledResult<Evidence>[]>;
}
