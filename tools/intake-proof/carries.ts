/**
 * What each language carries of what is said, as its writers write it: the one table by which a journey that was told in it
 * is compared. What is not here is not expected to arrive; what is here has to.
 */

import {
  statusOfEvent as numberOfEvent,
  statusOfHold as numberOfHold,
} from '../../sandbox/edi/edifact-words.ts'
import { statusOfEvent as codeOfEvent, statusOfHold as codeOfHold } from '../../sandbox/edi/x12-words.ts'
import type { EventObservation, FactName, Observation } from '../../src/core/statements/observation.ts'
import type { EventClassifier, EventCode, TransportMode } from '../../src/core/values/codes.ts'
import type { Saying } from './journeys.ts'

export const languages = ['statements', 'dcsa', 'x12', 'edifact'] as const
export type Language = (typeof languages)[number]

interface Carries {
  /** Whether it has a word for what happened, or is to happen. */
  readonly event: (said: Pick<EventObservation, 'classifier' | 'code' | 'load' | 'mode'>) => boolean
  readonly fact: (said: Extract<Observation, { kind: 'fact' }>) => boolean
  /** Whether a sender can take back what it said. */
  readonly takesBack: boolean
  /** The sender's own id of the call, and what kind of place it is. */
  readonly calls: boolean
  /** Whether each statement says when it was made; else its message alone does. */
  readonly dated: boolean
  /** By what: not of a gate, in EDI. */
  readonly modeOf: (said: Pick<EventObservation, 'code' | 'mode'>) => TransportMode | null
  readonly loadOf: (said: Pick<EventObservation, 'code' | 'load'>) => EventObservation['load']
  /** Whether the ship stands beside it. */
  readonly ship: (said: Pick<EventObservation, 'classifier' | 'code' | 'mode'>) => boolean
}

const isGate = (code: EventCode | null) => code === 'GTIN' || code === 'GTOT'
const isByShip = (mode: TransportMode | null) => mode === 'VESSEL' || mode === 'BARGE'
const ofAllFacts: ReadonlySet<FactName> = new Set(['hold', 'fee', 'pickup_lfd_terminal'])
const all = { dated: true, modeOf: ({ mode }: { mode: TransportMode | null }) => mode, ship: () => true }
const happened = (classifier: EventClassifier) => classifier === 'ACT'

export const carries: Readonly<Record<Language, Carries>> = {
  statements: {
    ...all,
    event: () => true,
    fact: ({ fact }) => ofAllFacts.has(fact),
    takesBack: true,
    calls: true,
    loadOf: ({ load }) => load,
  },
  dcsa: {
    ...all,
    event: () => true,
    fact: () => false,
    takesBack: true,
    calls: true,
    loadOf: ({ load }) => load,
  },
  x12: {
    event: (said) => codeOfEvent(said, 'line') !== null,
    fact: (said) =>
      said.fact === 'hold' ? codeOfHold(said.value, 'terminal') !== null : ofAllFacts.has(said.fact),
    takesBack: false,
    calls: false,
    dated: false,
    modeOf: ({ code, mode }) => (isGate(code) ? null : mode),
    loadOf: ({ load }) => load,
    ship: ({ classifier, mode }) => happened(classifier) && isByShip(mode),
  },
  edifact: {
    event: (said) => numberOfEvent(said as EventObservation) !== null,
    fact: (said) => said.fact === 'hold' && numberOfHold(said.value) !== null,
    takesBack: false,
    calls: false,
    dated: true,
    modeOf: ({ code, mode }) => (isGate(code) && mode === 'VESSEL' ? null : mode),
    loadOf: ({ load }) => load,
    ship: ({ code, mode }) => isByShip(mode) && !isGate(code),
  },
}

/**
 * Of what happened to a box at one port on one voyage the last word: EDI has no ids, and a ship that calls twice on one
 * voyage cannot be told from a correction, in whichever of its languages. Another voyage, another port or another document
 * is another thing. `told`: in the order of writing.
 */
export function lastWords(
  told: readonly { readonly language: Language; readonly saying: Saying }[],
): readonly Saying[] {
  const identify = ({ language, saying }: (typeof told)[number]) =>
    carries[language].calls ? saying : (callOf(saying) ?? saying)
  const last = new Map(told.map((each) => [identify(each), each]))
  return told.filter((each) => last.get(identify(each)) === each).map(({ saying }) => saying)
}

function callOf({ observation, bill, booking }: Saying): string | null {
  const document = bill ?? booking
  if (observation.kind === 'fact' || observation.classifier !== 'ACT') return null
  const { code, load, mode, place, voyage, equipment } = observation
  return document === null || voyage === null
    ? null
    : [document, code, load, mode, place.unlocode, voyage, equipment].join('|')
}

/** What is left of a saying in this language; null for what it cannot say. */
export function carried(language: Language, saying: Saying): Saying | null {
  const can = carries[language]
  const { observation } = saying
  if (observation.isRetracted && !can.takesBack) return null
  const statedAt = can.dated ? observation.statedAt : null
  if (observation.kind === 'fact')
    return can.fact(observation) ? { ...saying, observation: { ...observation, statedAt } } : null
  if (!can.event(observation)) return null
  const isShipTold = can.ship(observation)
  const { place, callId } = observation
  return {
    ...saying,
    observation: {
      ...observation,
      statedAt,
      mode: can.modeOf(observation),
      load: can.loadOf(observation),
      vessel: isShipTold ? observation.vessel : null,
      voyage: isShipTold ? observation.voyage : null,
      callId: can.calls ? callId : null,
      place: can.calls ? place : { ...place, facilityType: null },
    },
  }
}
