/**
 * What a status code says, as one line of words: our table of codes and an operator's profile are written in it. Each
 * effect is parted from the next by a comma:
 *
 * - `DISC VESSEL`, `GTOT EMPTY`, `ARRI RAIL`: an event in the codes of DCSA, where the code settles it with mode or load;
 * - `ARRI RAIL at_end`: such an event at the place where the way ends, and elsewhere a mere position;
 * - `hold customs`, `release freight`, `hold other:agency`: a hold is set or released, behind the colon which of the others;
 * - `hold terminal_charges`, `release terminal_charges`: by the name of the fee that is owed;
 * - `available`, `not_available`; `last_free_day`, `appointment`: the time of the status is that day or time;
 * - `estimate`: an estimate of the message has changed, and no more;
 * - `seals_altered`, `moved_in_terminal`: another fact of the message is new;
 * - `note`: nothing that moves a box or its papers.
 */

import {
  type EmptyIndicator,
  type EventCode,
  emptyIndicators,
  eventCodes,
  isOneOf,
  type TransportMode,
  transportModes,
} from '../../core/codes.ts'
import { type Hold, holdNames } from '../../core/observation.ts'

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
      /** Which of those that have no name of their own. */
      readonly other: string | null
    }
  | { readonly kind: Plain }

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
type Plain = (typeof plainEffects)[number]

/** Null for a line that is none. */
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
