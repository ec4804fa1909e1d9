import type { Entry } from './command.ts';
import { companies } from './companies.ts';
import { keys } from './keys.ts';

/** Everything that `ops` can do. Help, parsing and dispatch follow from it. */
export const commands: readonly Entry[] = [companies, keys];
