/** What the AWS SDK throws when a service did not do what it was asked. */
export function serviceError(name: string): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 500 } });
}
