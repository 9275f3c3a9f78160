/**
 * The meaning of a status code, written as one line. Our table of codes and an operator's profile use this notation.
 * Commas separate effects:
 *
 * - `DISC VESSEL`, `GTOT EMPTY`, `ARRI RAIL`: an event in DCSA codes, with mode or load where the status code
 * determines them;
 * - `ARRI RAIL at_end`: an event only at the place where the transport ends, elsewhere just a position report;
 * - `hold customs`, `release freight`, `hold other:agency`: a hold is set or released; the text after the colon names
 * the other hold;
 * - `hold terminal_charges`, `release terminal_charges`: the fee that is owed decides the name of the hold;
 * - `available`, `not_available`; `last_free_day`, `appointment`: the time of the status is that day or time;
 * - `estimate`: an estimate of the message has changed, and nothing else;
 * - `seals_altered`, `moved_in_terminal`: another fact of the message is new;
 * - `note`: nothing that moves a container or its documents.
 */

import { type Hold, holdNames } from '../../domain/statements/observation.ts'
import {
  type EmptyIndicator,
  type EventCode,
  emptyIndicators,
  eventCodes,
  isOneOf,
  type TransportMode,
  transportModes,
} from '../../domain/values/codes.ts'

export type Effect =
  | {
      readonly kind: 'event'
      readonly code: EventCode
      readonly mode: TransportMode | null
      readonly load: EmptyIndicator | null
      readonly isAtEndOnly: boolean
    }
  | {
      readonly kind: 'hold' | 'release'
      readonly name: Hold['name'] | 'terminal_charges'
      /** Which hold, for `other` holds: they have no name of their own. */
      readonly other: string | null
    }
  | { readonly kind: PlainEffectKind }

const plainEffects = [
  'available',
  'not_available',
  'last_free_day',
  'appointment',
  'estimate',
  'seals_altered',
  'moved_in_terminal',
  'note',
] as const
type PlainEffectKind = (typeof plainEffects)[number]

/** Null for a line that is not valid. */
export function parseEffects(line: string): readonly Effect[] | null {
  const effects = line.slice(0, 200).split(',').map(parseEffect)
  return effects.every((effect) => effect !== null) ? effects : null
}

function parseEffect(text: string): Effect | null {
  const [first = '', ...rest] = text.trim().split(/\s+/)
  if (isOneOf(plainEffects, first)) return rest.length === 0 ? { kind: first } : null
  if (first === 'hold' || first === 'release') return parseHold(first, rest)
  if (!isOneOf(eventCodes, first)) return null
  const modes = rest.filter((word) => isOneOf(transportModes, word))
  const loads = rest.filter((word) => isOneOf(emptyIndicators, word))
  const isAtEndOnly = rest.includes('at_end')
  if (modes.length + loads.length + Number(isAtEndOnly) !== rest.length) return null
  const [mode = null, load = null] = [modes[0], loads[0]]
  return { kind: 'event', code: first, mode, load, isAtEndOnly }
}

function parseHold(kind: 'hold' | 'release', words: readonly string[]): Effect | null {
  const [name = '', other = null, ...more] = (words[0] ?? '').split(':')
  if (words.length !== 1 || more.length > 0) return null
  if (other !== null && (name !== 'other' || !/^[a-z_]{1,40}$/.test(other))) return null
  return name === 'terminal_charges' || isOneOf(holdNames, name) ? { kind, name, other } : null
}
