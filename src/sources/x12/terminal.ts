/** The terminal at the port of discharge: by the code that a terminal's message gives (N9*TT), else by its name there (R4-06). */

import { nowhere, type ObservedPlace } from '../../core/observation.ts'
import { findTerminalOfSource } from '../../reference/named-terminals.ts'
import { findPlaceByCode, findTerminalZone } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { findTerminal, oceanTerminalsAt } from '../../reference/terminals.ts'
import { quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import type { StatedPlace } from './place.ts'
import { findMeaning } from './references.ts'

export function findPodTerminal(context: ReadContext, discharge: StatedPlace | null): ObservedPlace | null {
  return findCoded(context) ?? (discharge === null ? null : findNamed(discharge))
}

/** A FIRMS code, or the terminal's own where the profile says which FIRMS code that is. */
function findCoded({ stated, dialect, profile, issues }: ReadContext): ObservedPlace | null {
  for (const { qualifier, value, path } of stated.references) {
    if (findMeaning(qualifier, dialect)?.kind !== 'terminal' || value === '') continue
    const code = profile.terminals?.[value] ?? value.toUpperCase()
    const terminal = findTerminal({ provider: 'FIRMS', code })
    const unlocode = terminal?.unlocode ?? null
    if (terminal !== null && unlocode !== null) {
      const timeZone = findPlaceByCode(unlocode)?.timeZone ?? findTerminalZone(terminal)
      return { ...nowhere, unlocode, terminalId: terminal.id, facilityCode: code, name: value, timeZone }
    }
    issues.addOnce(
      'unknown_facility',
      { path, lost: 'field' },
      `${quoted(value)} is no terminal that we know`,
    )
  }
  return null
}

/** Only a terminal that bears exactly this name there, and alone, is it; else one that sources call so; else a name. */
function findNamed({ place, terminalName }: StatedPlace): ObservedPlace | null {
  if (terminalName === null || place.unlocode === null) return null
  const name = plainName(terminalName)
  const [only, ...others] = oceanTerminalsAt(place.unlocode).filter((each) => plainName(each.name) === name)
  const exact = only !== undefined && others.length === 0 ? only : null
  const found = exact ?? findTerminalOfSource({ unlocode: place.unlocode, name: terminalName })
  return { ...place, name: terminalName, terminalId: found?.id ?? null }
}
