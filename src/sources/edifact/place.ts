/** Where something happened, according to `LOC`: a UN/LOCODE, a name, a terminal. What is unknown stays unknown. */

import { nowhere, type ObservedPlace } from '../../core/statements/observation.ts'
import { isUnLocode } from '../../core/values/identifiers.ts'
import { resolvePlace } from '../../reference/places.ts'
import { quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, pathTo, textOf, wordOf } from './fields.ts'
import type { Segment } from './segments.ts'

/** C517 has the place. C519 and C553 have a terminal in it or its country (list 162). */
export function readPlace(segment: Segment | null, { issues }: ReadContext): ObservedPlace {
  if (segment === null) return nowhere
  const unlocode = readUnLocode(segment)
  const name = wordOf(segment, 1, 3) ?? (unlocode === null ? wordOf(segment, 1) : null)
  const country = [2, 3].find((element) => codeOf(segment, element, 1) === '162')
  const facility = [2, 3].find((element) => element !== country && codeOf(segment, element) !== '')
  const facilityCode = facility === undefined ? null : codeOf(segment, facility)
  const facilityName = facility === undefined ? null : wordOf(segment, facility, 3)
  const isSmdg = facility !== undefined && ['306', 'SMD', 'SMDG'].includes(codeOf(segment, facility, 2))
  const resolved = resolvePlace({
    unlocode,
    facilityCode,
    facilityCodeListProvider: isSmdg ? 'SMDG' : null,
    facilityNames: [facilityName],
    // A name without its country identifies no place: too many places share it.
    ...(country !== undefined && { name, country: codeOf(segment, country) }),
  })
  const said = unlocode ?? name
  if (resolved === null && said !== null) {
    const lost = unlocode === null ? 'nothing' : 'field'
    issues.addOnce(
      'unknown_place',
      { path: pathTo(segment, 1), lost },
      `${quoted(said)} is not a known place`,
    )
  }
  if (resolved?.terminal === null && isSmdg && facilityCode !== null) {
    const at = { path: pathTo(segment, facility), lost: 'nothing' } as const
    const detail = `${quoted(facilityCode)} is not a known facility at ${resolved.place.unlocode}`
    issues.addOnce('unknown_facility', at, detail)
  }
  return {
    unlocode: resolved?.place.unlocode ?? null,
    terminalId: resolved?.terminal?.id ?? null,
    facilityCode,
    facilityType: null,
    name: facilityName ?? name ?? (resolved === null ? unlocode : null),
    timeZone: resolved?.timeZone ?? null,
  }
}

/** Null for codes of the partner's own lists (86 to 92, ZZZ): they may look like a UN/LOCODE. */
function readUnLocode(segment: Segment): string | null {
  const code = codeOf(segment, 1).replace(/\s+/g, '')
  const isOwn = /^(?:8[6-9]|9[0-2]|ZZZ)$/.test(codeOf(segment, 1, 2))
  return isUnLocode(code) && !isOwn && textOf(segment, 1, 1).toUpperCase() !== 'ZZZ' ? code : null
}
