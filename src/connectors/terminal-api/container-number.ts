/**
 * Finds the container that an element is about: its number may have the check digit or not, and be in one field or in
 * two.
 */

import { containerCheckDigit, parseContainerNumber } from '../../domain/values/identifiers.ts'
import { readContainer } from '../container-reference.ts'
import type { IssueList } from '../source-issue.ts'
import { textAt } from './container-context.ts'
import type { FacilityProfile } from './profile.ts'

/** Null, with an issue, for an element without the number of a container. */
export function readContainerNumber(
  value: unknown,
  { profile, issues, path }: { readonly profile: FacilityProfile; readonly issues: IssueList; readonly path: string },
): string | null {
  const pointers = typeof profile.number === 'string' ? [profile.number] : profile.number
  const node = { value, path }
  const texts =
    profile.isNumberJoined === true
      ? pointers.map((pointer) => textAt({ profile, issues }, pointer, node)?.text ?? null)
      : [textAt({ profile, issues }, pointers, node)?.text ?? null]
  const at = { path, lost: 'event' } as const
  if (texts.some((text) => text === null)) {
    issues.add('missing_field', at, 'the element has no container number')
    return null
  }
  const text = texts.join('').replace(/[^A-Za-z0-9]/g, '')
  const completed = profile.hasCheckDigit === false ? completeSerial(text.toUpperCase()) : null
  const number = completed ?? readContainer(text, path, issues)
  if (number === null) issues.add('bad_equipment', at, 'this is not a container number')
  return number
}

/** Adds the check digit. Railways write the serial without its leading zeros. */
function completeSerial(text: string): string | null {
  const [, letters = '', serial = ''] = /^([A-Z]{4})([0-9]{1,6})$/.exec(text) ?? []
  const firstTen = letters + serial.padStart(6, '0')
  const whole = parseContainerNumber(`${firstTen}${containerCheckDigit(firstTen)}`)
  return whole.ok ? whole.value : null
}
