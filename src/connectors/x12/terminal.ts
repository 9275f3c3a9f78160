/**
 * Finds the terminal at the port of discharge: by the code that a terminal's message gives (N9*TT), else by its name
 * (R4-06).
 */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { findTerminalOfSource } from '../../reference/named-terminals.ts'
import { findPlaceByCode, findTerminalZone } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { findTerminal, oceanTerminalsAt } from '../../reference/terminals.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import type { StatedPlace } from './place.ts'
import { findMeaning } from './references.ts'

export function findPodTerminal(context: ReadContext, discharge: StatedPlace | null): ObservedPlace | null {
  return findTerminalByCode(context) ?? (discharge === null ? null : findTerminalByName(discharge))
}

const plain = { reason: '', text: '' } as const

/** The code is a FIRMS code, or the terminal's own code, which the profile maps to a FIRMS code. */
function findTerminalByCode({ stated, dialect, profile, issues }: ReadContext): ObservedPlace | null {
  for (const { qualifier, value, path } of stated.references) {
    if (findMeaning(qualifier, dialect)?.kind !== 'terminal' || value === '') continue
    const mappedCode = profile.terminals?.[value]
    const code = mappedCode ?? value.toUpperCase()
    const terminal = findTerminal({ provider: 'FIRMS', code })
    const unlocode = terminal?.unlocode ?? null
    if ((mappedCode !== undefined || unlocode === null) && value.length <= 30)
      issues.noteCode({
        field: '/terminals',
        code: value,
        ...plain,
        isMapped: mappedCode !== undefined,
        path,
      })
    if (terminal !== null && unlocode !== null) {
      const timeZone = findPlaceByCode(unlocode)?.timeZone ?? findTerminalZone(terminal)
      return { ...nowhere, unlocode, terminalId: terminal.id, facilityCode: code, name: value, timeZone }
    }
    issues.addOnce('unknown_facility', { path, lost: 'field' }, `${quoteValue(value)} is not a known terminal`)
  }
  return null
}

/**
 * The terminal at this port which alone has exactly this name; else a terminal that sources call by this name; else the
 * name without a terminal.
 */
function findTerminalByName({ place, terminalName }: StatedPlace): ObservedPlace | null {
  if (terminalName === null || place.unlocode === null) return null
  const name = plainName(terminalName)
  const [only, ...others] = oceanTerminalsAt(place.unlocode).filter((each) => plainName(each.name) === name)
  const exact = only !== undefined && others.length === 0 ? only : null
  const found = exact ?? findTerminalOfSource({ unlocode: place.unlocode, name: terminalName })
  return { ...place, name: terminalName, terminalId: found?.id ?? place.terminalId }
}
