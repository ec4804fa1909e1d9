import { describe, expect, it } from 'vitest';
import { functionResponse, gatewayMessage } from '../../../local/http/http-response.ts';

const read = (payload: unknown) => {
  const { statusCode, headers, body } = functionResponse(payload);
  return { statusCode, headers, body: body.toString() };
};

describe("a function's answer", () => {
  it('may say everything', () => {
    const answer = {
      statusCode: 202,
      headers: { 'X-A': 1, 'Content-Type': 'text/css' },
      cookies: ['a=1', 'b=2'],
      body: 'é',
    };
    expect(read(answer)).toEqual({
      statusCode: 202,
      headers: { 'x-a': '1', 'content-type': 'text/css', 'set-cookie': ['a=1', 'b=2'] },
      body: 'é',
    });
  });

  it('may be base64', () => {
    const body = Buffer.from([0, 255]);
    const answer = functionResponse({
      statusCode: 200,
      body: body.toString('base64'),
      isBase64Encoded: true,
    });
    expect(answer.body).toEqual(body);
  });

  it('does not get to say how long it is', () => {
    const { headers } = read({ statusCode: 200, headers: { 'Content-Length': '999' }, body: 'x' });
    expect(headers).toEqual({ 'content-type': 'text/plain;charset=UTF-8' });
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [null, 'null'],
    [[1], '[1]'],
  ])('is the body of a 200 if it has no status code: %j', (payload, body) => {
    expect(read(payload)).toEqual({ statusCode: 200, headers: { 'content-type': 'application/json' }, body });
  });

  it.each(['ok', 20, 600, 200.5, null])('is an error if its status code is %j', (statusCode) => {
    expect(functionResponse({ statusCode })).toEqual(gatewayMessage(500, 'Internal Server Error'));
  });
});
