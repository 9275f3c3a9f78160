/** Which of the data that matter for tracking an answer had, and which it had not. */

import type { EventObservation, Observation } from '../../domain/statements/observation.ts'

export interface PresentData {
  readonly present: readonly string[]
  readonly absent: readonly string[]
}

const eventData: Readonly<Record<string, (event: EventObservation) => boolean>> = {
  'place as UN/LOCODE': ({ place }) => place.unlocode !== null,
  terminal: ({ place }) => place.terminalId !== null,
  'time of day': ({ time }) => time.kind !== 'day',
  'name of the vessel': ({ vessel }) => vessel?.name != null,
  'IMO number of the vessel': ({ vessel }) => vessel?.imo != null,
  voyage: ({ voyage }) => voyage !== null,
  'expected events': ({ classifier }) => classifier !== 'ACT',
}

const facts: Readonly<Record<string, readonly string[]>> = {
  'type of the container': ['size_type'],
  seal: ['seal_number'],
  weight: ['weight_kg', 'verified_gross_mass_kg'],
}

const facilityFacts: Readonly<Record<string, readonly string[]>> = {
  availability: ['available'],
  holds: ['hold', 'holds'],
  fees: ['fee', 'fees'],
  'last free day': ['pickup_lfd_terminal', 'pickup_lfd_rail'],
  'pickup appointment': ['pickup_appointment'],
  'yard location': ['yard_location'],
}

export function findPresentData(observations: readonly Observation[], kind: 'line' | 'facility'): PresentData {
  const events = observations.filter((each) => each.kind === 'event')
  const named = new Set<string>(observations.flatMap((each) => (each.kind === 'fact' ? [each.fact] : [])))
  const found = [
    ...Object.entries(kind === 'line' ? eventData : {}).map(([name, has]) => [name, events.some(has)] as const),
    ...Object.entries(kind === 'line' ? facts : facilityFacts).map(
      ([name, names]) => [name, names.some((fact) => named.has(fact))] as const,
    ),
  ]
  const namesOf = (isWanted: boolean) => found.flatMap(([name, isPresent]) => (isPresent === isWanted ? [name] : []))
  return { present: namesOf(true), absent: namesOf(false) }
}
