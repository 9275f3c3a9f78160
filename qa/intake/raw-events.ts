/** The raw events of a journey that stand, a line each: nothing is lost, and nothing is there twice. */

import type { Claim, EventObservation, Source } from '../../src/domain/statements/observation.ts'
import { instantOf } from '../../src/domain/values/time.ts'
import type { RawEventOfContainer } from '../../src/modules/provenance/raw-events-sql.ts'

function writeRawEvent(source: Source, observation: EventObservation): string {
  const { classifier, code, original, equipment, place, time } = observation
  const where = place.unlocode ?? place.name?.toUpperCase() ?? place.facilityCode ?? '-'
  // Not all languages have seconds.
  const at = time.kind === 'day' ? time.on : instantOf(time, place.timeZone).at.slice(0, 16)
  return [source.kind, source.code, equipment ?? '-', classifier, code ?? original, where, at].join(' ')
}

/** Each event that stands, once. */
export function writeStanding(claims: readonly Claim[]): readonly string[] {
  const lines = claims.flatMap(({ source, observation, retiredAt }) =>
    observation.kind === 'event' && !observation.isRetracted && retiredAt === null
      ? [writeRawEvent(source, observation)]
      : [],
  )
  return [...new Set(lines)]
}

/** An event of the whole shipment is among those of each container. */
export function writeRawEvents(events: readonly RawEventOfContainer[]): readonly string[] {
  const standing = new Map(events.filter(({ event }) => event.retiredAt === null).map(({ event }) => [event.id, event]))
  return [...standing.values()].map(({ sourceKind, sourceCode, observation }) =>
    writeRawEvent({ kind: sourceKind, code: sourceCode }, observation),
  )
}
