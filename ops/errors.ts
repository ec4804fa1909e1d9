/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {}

/** It was understood and could not be done: exit code 1, and the message is all there is to say. */
export class OpsError extends Error {}
