import { S3Error } from './errors.ts';
import type { S3Request } from './s3-request.ts';

const LONGEST_LIFE_S = 604_800;
const ALLOWED_SKEW_MS = 15 * 60_000;

const SIGNATURE_V4_PARAMETERS = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Signature',
  'X-Amz-Date',
  'X-Amz-SignedHeaders',
  'X-Amz-Expires',
];

/**
 * Buckets are private: a request is signed, by a header or in its URL. Any credentials will do, so the signature
 * itself is not checked; the life of a presigned URL is.
 */
export function authorise({ header, query }: S3Request, now: number): void {
  if (header('authorization') !== undefined) return;
  if (query.has('X-Amz-Algorithm')) return checkVersion4(query, now);
  // What `aws s3 presign` of the AWS CLI 1 makes.
  if (query.has('AWSAccessKeyId') && query.has('Signature')) {
    return checkLife(Number(query.get('Expires')) * 1000, now);
  }
  throw new S3Error('AccessDenied');
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
function checkVersion4(query: URLSearchParams, now: number): void {
  if (SIGNATURE_V4_PARAMETERS.some((name) => !query.get(name))) {
    throw invalid(
      `Query-string authentication version 4 requires the ${SIGNATURE_V4_PARAMETERS.join(', ')} parameters.`,
    );
  }
  const signedAt = parseDate(query.get('X-Amz-Date') ?? '');
  const life = query.get('X-Amz-Expires') ?? '';
  if (!/^\d+$/.test(life)) throw invalid('X-Amz-Expires should be a number');
  if (Number(life) > LONGEST_LIFE_S) {
    throw invalid(`X-Amz-Expires must be less than a week (in seconds) that is ${LONGEST_LIFE_S}`);
  }
  if (signedAt > now + ALLOWED_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  checkLife(signedAt + Number(life) * 1000, now, { 'X-Amz-Expires': life });
}

function checkLife(expiresAt: number, now: number, details: Record<string, string> = {}): void {
  if (now <= expiresAt) return;
  const times = { Expires: toSeconds(expiresAt), ServerTime: toSeconds(now) };
  throw new S3Error('AccessDenied', 'Request has expired', { details: { ...details, ...times } });
}

function parseDate(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const [, year, month, day, hours, minutes, seconds] = parts ?? [];
  const date = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(date)) {
    throw invalid(`X-Amz-Date must be in the ISO8601 Long Format "yyyyMMdd'T'HHmmss'Z'"`);
  }
  return date;
}

function invalid(message: string): S3Error {
  return new S3Error('AuthorizationQueryParametersError', message);
}

function toSeconds(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString().replace(/\.\d+/, '') : 'never';
}
