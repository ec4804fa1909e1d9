export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** The bare answers that API Gateway gives by itself. */
export function gatewayMessage(statusCode: number, message: string): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** A function's result in payload format 2.0: with a status code, or any JSON, which means 200. */
export function functionResponse(payload: unknown): HttpResponse {
  if (typeof payload !== 'object' || payload === null || !('statusCode' in payload)) {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  }
  const result = payload as {
    statusCode: unknown;
    headers?: Record<string, unknown>;
    cookies?: string[];
    body?: string;
    isBase64Encoded?: boolean;
  };
  const statusCode = Number(result.statusCode);
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    return gatewayMessage(500, 'Internal Server Error');
  }
  const headers: Record<string, string | string[]> = { 'content-type': 'text/plain;charset=UTF-8' };
  for (const [name, value] of Object.entries(result.headers ?? {}))
    headers[name.toLowerCase()] = String(value);
  if (result.cookies && result.cookies.length > 0) headers['set-cookie'] = result.cookies;
  // The server counts the bytes itself.
  delete headers['content-length'];
  return {
    statusCode,
    headers,
    body: Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8'),
  };
}
