/** Where something happened, according to `LOC`: a UN/LOCODE, a name, a terminal. What is unknown stays unknown. */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { isUnLocode } from '../../domain/values/identifiers.ts'
import { findPlaceByCode, resolvePlace } from '../../reference/places.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, optionalTextOf, pathTo } from './fields.ts'
import type { Segment } from './segments.ts'

/** C517 has the place. C519 and C553 have a terminal in it or its country (list 162). */
export function readPlace(segment: Segment | null, { issues }: ReadContext): ObservedPlace {
  if (segment === null) return nowhere
  const unlocode = readUnLocode(segment, issues)
  const name = optionalTextOf(segment, 1, 3) ?? (unlocode === null ? optionalTextOf(segment, 1) : null)
  const country = [2, 3].find((element) => codeOf(segment, element, 1) === '162')
  const facility = [2, 3].find((element) => element !== country && codeOf(segment, element) !== '')
  const facilityCode = facility === undefined ? null : codeOf(segment, facility)
  const facilityName = facility === undefined ? null : optionalTextOf(segment, facility, 3)
  const isSmdg = facility !== undefined && ['306', 'SMD', 'SMDG'].includes(codeOf(segment, facility, 2))
  const resolved = resolvePlace({
    unlocode,
    facilityCode,
    facilityCodeListProvider: isSmdg ? 'SMDG' : null,
    facilityNames: [facilityName],
    // A name without its country identifies no place: too many places share it.
    ...(country !== undefined && { name, country: codeOf(segment, country) }),
  })
  const label = unlocode ?? name
  if (resolved === null && label !== null) {
    const lost = unlocode === null ? 'nothing' : 'field'
    issues.addOnce('unknown_place', { path: pathTo(segment, 1), lost }, `${quoteValue(label)} is not a known place`)
  }
  if (resolved?.terminal === null && isSmdg && facilityCode !== null) {
    const at = { path: pathTo(segment, facility), lost: 'nothing' } as const
    const detail = `${quoteValue(facilityCode)} is not a known facility at ${resolved.place.unlocode}`
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

/**
 * Null for codes of the partner's own lists (86 to 92, ZZZ): they may have the form of a UN/LOCODE. Some write a
 * terminal or berth behind the code: `IDJKT45`. It must have a digit, because the names of some ports begin like the
 * codes of other ports.
 */
function readUnLocode(segment: Segment, issues: ReadContext['issues']): string | null {
  const code = codeOf(segment, 1).replace(/\s+/g, '')
  const isPartnerCode = /^(?:8[6-9]|9[0-2]|ZZZ)$/.test(codeOf(segment, 1, 2))
  if (isPartnerCode || codeOf(segment, 1, 1) === 'ZZZ') return null
  if (isUnLocode(code)) return code
  const port = /^([A-Z]{2}[A-Z2-9]{3})[-/.]?(?=[A-Z]*[0-9])[A-Z0-9]{1,6}$/.exec(code)?.[1]
  if (port === undefined || findPlaceByCode(port)?.kind !== 'port') return null
  const at = { path: pathTo(segment, 1), lost: 'nothing' } as const
  issues.addOnce('unknown_facility', at, `${quoteValue(code)} is not a UN/LOCODE: its first five characters are read`)
  return port
}
