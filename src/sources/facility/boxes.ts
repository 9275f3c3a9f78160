/** Finds which box an element is about: its number may have the check digit or not, and be in one field or in two. */

import { containerCheckDigit, parseContainerNumber } from '../../core/values/identifiers.ts'
import type { IssueList } from '../source-issue.ts'
import { textAt } from './box-context.ts'
import type { FacilityProfile } from './profile.ts'

/** Null, with an issue, for an element without the number of a container. */
export function readBoxNumber(
  value: unknown,
  {
    profile,
    issues,
    path,
  }: { readonly profile: FacilityProfile; readonly issues: IssueList; readonly path: string },
): string | null {
  const pointers = typeof profile.number === 'string' ? [profile.number] : profile.number
  const part = { value, path }
  const said =
    profile.isNumberJoined === true
      ? pointers.map((pointer) => textAt({ profile, issues }, pointer, part)?.text ?? null)
      : [textAt({ profile, issues }, pointers, part)?.text ?? null]
  const at = { path, lost: 'event' } as const
  if (said.some((text) => text === null)) {
    issues.add('missing_field', at, 'the element has no container number')
    return null
  }
  const number = numberOf(said.join(''), profile.hasCheckDigit ?? true)
  if (number === null) issues.add('bad_equipment', at, 'this is not a container number')
  return number
}

/** Adds a missing check digit. Railways write the serial without its leading zeros. */
function numberOf(text: string, hasCheckDigit: boolean): string | null {
  const tidy = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const [, letters = '', serial = ''] = /^([A-Z]{4})([0-9]{1,6})$/.exec(tidy) ?? []
  if (!hasCheckDigit && letters !== '') {
    const firstTen = letters + serial.padStart(6, '0')
    const whole = parseContainerNumber(`${firstTen}${containerCheckDigit(firstTen)}`)
    return whole.ok ? whole.value : null
  }
  const parsed = parseContainerNumber(tidy)
  return parsed.ok ? parsed.value : null
}
