/**
 * Which parts of a saying each language carries, as its writer writes it. This table gives the expected result of a
 * journey that was sent in a language: what is in the table must arrive, everything else is not expected.
 */

import { statusOfEvent as numberOfEvent, statusOfHold as numberOfHold } from '../../sandbox/edi/edifact-words.ts'
import { statusOfEvent as codeOfEvent, statusOfHold as codeOfHold } from '../../sandbox/edi/x12-words.ts'
import type { EventObservation, FactName, Observation } from '../../src/domain/statements/observation.ts'
import type { EventClassifier, EventCode, TransportMode } from '../../src/domain/values/codes.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import type { Saying } from './journeys.ts'

export const languages = ['statements', 'dcsa', 'x12', 'edifact'] as const
export type Language = (typeof languages)[number]

interface Carries {
  /** Whether the language has a code for the event or the estimate. */
  readonly event: (said: Pick<EventObservation, 'classifier' | 'code' | 'load' | 'mode'>) => boolean
  readonly fact: (said: Extract<Observation, { kind: 'fact' }>) => boolean
  /** Whether a sender can withdraw a statement. */
  readonly takesBack: boolean
  /** Whether it carries the sender's own id of the call, and the type of the place. */
  readonly calls: boolean
  /** Whether each statement has its own time of writing. Otherwise only the message has one. */
  readonly dated: boolean
  /** The means of transport as far as the language carries it. EDI does not carry it for every gate move. */
  readonly modeOf: (said: Pick<EventObservation, 'code' | 'mode'>) => TransportMode | null
  readonly loadOf: (said: Pick<EventObservation, 'code' | 'load'>) => EventObservation['load']
  /** The time as it is read: in X12 an estimate for midnight is one for the day. */
  readonly timeOf: (said: Pick<EventObservation, 'classifier' | 'time'>) => EventTime
  /** Whether the ship is given with the event. */
  readonly ship: (said: Pick<EventObservation, 'classifier' | 'code' | 'mode'>) => boolean
}

const isGate = (code: EventCode | null) => code === 'GTIN' || code === 'GTOT'
const isByShip = (mode: TransportMode | null) => mode === 'VESSEL' || mode === 'BARGE'
const ofAllFacts: ReadonlySet<FactName> = new Set(['hold', 'fee', 'pickup_lfd_terminal'])
const timeOf = ({ time }: { time: EventTime }) => time
const all = {
  dated: true,
  modeOf: ({ mode }: { mode: TransportMode | null }) => mode,
  timeOf,
  ship: () => true,
}
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
    fact: (said) => (said.fact === 'hold' ? codeOfHold(said.value, 'terminal') !== null : ofAllFacts.has(said.fact)),
    takesBack: false,
    calls: false,
    dated: false,
    modeOf: ({ code, mode }) => (isGate(code) ? null : mode),
    loadOf: ({ load }) => load,
    timeOf: ({ classifier, time }) =>
      classifier === 'EST' && time.kind === 'instant' && time.at.endsWith('T00:00:00.000Z')
        ? { kind: 'day', on: time.at.slice(0, 10) }
        : time,
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
    timeOf,
    ship: ({ code, mode }) => isByShip(mode) && !isGate(code),
  },
}

/**
 * Keeps the last statement about the same event of a box, at the same port on the same voyage. EDI has no ids, so in
 * both EDI languages a second call of a ship on one voyage looks like a correction. Another voyage, port or document
 * makes another event. `told` must be in the order of writing.
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

/** The parts of a saying that the language carries; null when it cannot carry the saying. */
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
      time: can.timeOf(observation),
      vessel: isShipTold ? observation.vessel : null,
      voyage: isShipTold ? observation.voyage : null,
      callId: can.calls ? callId : null,
      place: can.calls ? place : { ...place, facilityType: null },
    },
  }
}
