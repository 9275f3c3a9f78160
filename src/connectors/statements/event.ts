/**
 * A statement about an event, past or expected: with a DCSA code, or with a name that implies code, load and mode at
 * once.
 */

import { type EventObservation, nowhere, type ObservedVessel } from '../../domain/statements/observation.ts'
import {
  type EmptyIndicator,
  type EventClassifier,
  type EventCode,
  eventCodes,
  isOneOf,
  type TransportMode,
} from '../../domain/values/codes.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { quoteValue } from '../source-issue.ts'
import { readPlace } from './place.ts'
import { StatementProblem } from './problem.ts'
import type { WrittenStatement } from './schema.ts'
import { normalizeText } from './text.ts'
import { readTime } from './time.ts'

interface EventMeaning {
  readonly code: EventCode | null
  readonly load: EmptyIndicator | null
  readonly mode: TransportMode | null
}

/**
 * These names do not state at which kind of port (loading, discharge, transshipment) something happens: that is
 * computed from the whole journey.
 */
const namedMeanings: Readonly<Record<string, EventMeaning>> = {
  empty_out: { code: 'GTOT', load: 'EMPTY', mode: null },
  full_in: { code: 'GTIN', load: 'LADEN', mode: null },
  full_out: { code: 'GTOT', load: 'LADEN', mode: null },
  empty_in: { code: 'GTIN', load: 'EMPTY', mode: null },
  vessel_loaded: { code: 'LOAD', load: 'LADEN', mode: 'VESSEL' },
  vessel_departed: { code: 'DEPA', load: null, mode: 'VESSEL' },
  vessel_arrived: { code: 'ARRI', load: null, mode: 'VESSEL' },
  vessel_discharged: { code: 'DISC', load: 'LADEN', mode: 'VESSEL' },
  rail_loaded: { code: 'LOAD', load: 'LADEN', mode: 'RAIL' },
  rail_departed: { code: 'DEPA', load: null, mode: 'RAIL' },
  rail_arrived: { code: 'ARRI', load: null, mode: 'RAIL' },
  rail_unloaded: { code: 'DISC', load: 'LADEN', mode: 'RAIL' },
}

const classifiers: Readonly<Record<NonNullable<WrittenStatement['classifier']>, EventClassifier>> = {
  ACT: 'ACT',
  EST: 'EST',
  PLN: 'PLN',
  actual: 'ACT',
  estimated: 'EST',
  planned: 'PLN',
}

export type StatedEvent = Omit<EventObservation, 'key' | 'equipment' | 'statedAt' | 'isRetracted'>

export function readEvent(written: WrittenStatement, statedName: string): StatedEvent {
  const meaning = readMeaning(written, statedName)
  if (written.at === undefined)
    throw new StatementProblem('missing_field', '/at', 'the member at (the time) is missing')
  return {
    kind: 'event',
    // The names are in the past tense, so a statement without a classifier is about a past event.
    classifier: classifiers[written.classifier ?? 'ACT'],
    ...meaning,
    time: readTime(written.at, '/at'),
    place: written.place === undefined ? nowhere : readPlace(written.place, '/place'),
    vessel: readVessel(written.vessel),
    voyage: textOf(written, 'voyage'),
    callId: textOf(written, 'call'),
    callSequence: written.call_sequence ?? null,
    original: textOf(written, 'words'),
  }
}

function readMeaning(written: WrittenStatement, statedName: string): EventMeaning {
  const { load = null, mode = null } = written
  if (isOneOf(eventCodes, statedName)) return { code: statedName, load, mode }
  if (statedName === 'other') {
    if (written.words !== undefined) return { code: null, load, mode }
    throw new StatementProblem(
      'missing_field',
      '/words',
      'the member words is missing: with says = other it describes the event',
    )
  }
  const meaning = Object.hasOwn(namedMeanings, statedName) ? namedMeanings[statedName] : undefined
  if (meaning === undefined)
    throw new StatementProblem(
      'unknown_code',
      '/says',
      `${quoteValue(statedName)} is not the name of an event or a fact`,
    )
  const contradicts = (stated: string | null, implied: string | null): boolean =>
    stated !== null && implied !== null && stated !== implied
  if (contradicts(load, meaning.load))
    throw new StatementProblem('wrong_structure', '/load', `contradicts ${statedName}`)
  if (contradicts(mode, meaning.mode))
    throw new StatementProblem('wrong_structure', '/mode', `contradicts ${statedName}`)
  return { code: meaning.code, load: meaning.load ?? load, mode: meaning.mode ?? mode }
}

function textOf(written: WrittenStatement, field: 'voyage' | 'call' | 'words'): string | null {
  const text = written[field]
  return text === undefined ? null : normalizeText(text, `/${field}`)
}

function readVessel(vessel: WrittenStatement['vessel']): ObservedVessel | null {
  if (vessel === undefined) return null
  const imo = vessel.imo === undefined ? null : parseImoNumber(vessel.imo)
  if (imo?.ok === false) throw new StatementProblem('bad_imo', '/vessel/imo', imo.reason.replaceAll('_', ' '))
  const name = vessel.name === undefined ? null : normalizeText(vessel.name, '/vessel/name')
  if (imo === null && name === null)
    throw new StatementProblem('missing_field', '/vessel', 'a vessel needs an IMO number or a name')
  return { imo: imo?.value ?? null, name }
}
