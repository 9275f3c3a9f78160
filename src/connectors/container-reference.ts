/**
 * One rule for the containers that sources name, in every language: a number whose check digit is missing or does not
 * fit is read, with an issue.
 */

import { type EquipmentReference, parseEquipmentReference } from '../domain/values/identifiers.ts'
import type { IssueList } from './source-issue.ts'

/** What is wrong with the check digit, in a sentence; null when it is right. */
export function checkDigitFault({ number, checkDigit }: EquipmentReference): string | null {
  if (checkDigit === 'right') return null
  return checkDigit === 'missing'
    ? `the container number ${number} was written without its last digit, the check digit`
    : `the check digit of the container number ${number} does not fit (ISO 6346)`
}

export function noteCheckDigit(reference: EquipmentReference, path: string, issues: IssueList): void {
  const fault = checkDigitFault(reference)
  if (fault !== null) issues.addOnce('check_digit', { path, lost: 'nothing' }, fault)
}

/** Null for a text that cannot be the number of a container. */
export function readContainer(text: string, path: string, issues: IssueList): string | null {
  const reference = parseEquipmentReference(text)
  if (!reference.ok) return null
  noteCheckDigit(reference.value, path, issues)
  return reference.value.number
}
