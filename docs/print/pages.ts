import { errorsPage } from './errors.ts';
import { lifecyclePage } from './lifecycle.ts';

/** Pages that are printed from the tables in the code, so that they cannot say anything else. */
export const pages: Readonly<Record<string, () => string>> = {
  'lifecycle.md': lifecyclePage,
  'errors.md': errorsPage,
};
