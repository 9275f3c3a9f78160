/** Texts as they may be kept. */

import { StatementProblem } from './problem.ts'

/** Without what no database keeps and no name has; what is nothing else is no text. */
export function tidied(text: string, field: string): string {
  const tidy = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  if (tidy === '') throw new StatementProblem('wrong_type', field, 'a text without anything in it')
  return tidy
}
