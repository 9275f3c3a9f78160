/** Texts in the form in which they may be stored. */

import { StatementProblem } from './problem.ts'

/**
 * Removes what no database stores (NUL, broken surrogates) and control characters. A text that is then empty is
 * refused.
 */
export function normalizeText(text: string, field: string): string {
  const normalized = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  if (normalized === '') throw new StatementProblem('wrong_type', field, 'the text is empty')
  return normalized
}
