/** https://docs.aws.amazon.com/secretsmanager/latest/apireference/CommonErrors.html and those of the operations. */
export type SecretsErrorName =
  | 'InternalServiceError'
  | 'InvalidNextTokenException'
  | 'InvalidParameterException'
  | 'InvalidRequestException'
  | 'ResourceExistsException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'UnknownOperationException'
  | 'ValidationException';

export class SecretsError extends Error {
  readonly status: number;

  constructor(
    override readonly name: SecretsErrorName,
    message: string,
  ) {
    super(message);
    this.status = name === 'InternalServiceError' ? 500 : 400;
  }
}
