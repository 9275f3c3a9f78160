/** `raw_event`: one statement of one source about what happened or will happen, with its original wording. */

import { identifierOrNull, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { type EventTime, instantOf, localDateIn } from '../../domain/values/time.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { nameShip } from '../../reference/vessels.ts'
import { linkPlace, readPlace } from '../ports/place-resource.ts'
import { linkVessel } from '../vessels/vessel-resource.ts'
import { rawEventName, rawEventNames } from './raw-event-name-resource.ts'
import type { RawEventReading } from './raw-events-sql.ts'

const { dayOrNull, instantOrNull, textOrNull } = schema

const ofContract = ['shipping_line', 'terminal', 'rail', 'ais'] as const

export const rawEvent: ResourceKind<RawEventReading> = {
  type: 'raw_event',
  attributes: {
    event: schema.oneOfOrNull(rawEventNames),
    original_event: textOrNull({ description: "The source's own words or code." }),
    timestamp: schema.instant(),
    estimated: { type: 'boolean' },
    actual_on: dayOrNull({
      description: 'The day at the place; null if the place or its time zone is unknown.',
    }),
    estimated_on: dayOrNull({
      description: 'The day at the place; null if the place or its time zone is unknown.',
    }),
    actual_at: instantOrNull({ description: 'Null when the source gave only a day.' }),
    estimated_at: instantOrNull({ description: 'Null when the source gave only a day.' }),
    timezone: schema.zoneOrNull(),
    created_at: schema.instant(),
    location_name: textOrNull(),
    location_locode: textOrNull(),
    vessel_name: textOrNull(),
    vessel_imo: textOrNull(),
    index: {
      type: 'integer',
      description: 'Place in the order of time of all statements about the container, from 0.',
    },
    voyage_number: textOrNull(),
    will_occur_at: instantOrNull(),
    invalidated_at: instantOrNull({
      description: 'When the source withdrew or replaced the statement, in whatever way.',
    }),
    data_source: schema.oneOfOrNull(ofContract, {
      description:
        'The source. Null if the source is a document that somebody sent; then `data_provider_code` says so.',
    }),
    data_provider_name: schema.text(),
    data_provider_code: schema.text(),
  },
  relations: {
    location: toOne('port', 'metro_area'),
    vessel: toOne('vessel'),
    container: toOne('container'),
    terminal: toOne('terminal'),
  },
  write: writeRawEvent,
  link: ({ observation, containerId }) => ({
    location: linkPlace(observation.place.unlocode),
    vessel: linkVessel(observation.vessel?.imo ?? null),
    container: identifierOrNull('container', containerId),
    terminal: identifierOrNull('terminal', observation.place.terminalId),
  }),
  meta: {
    properties: {
      ways: schema.list(
        schema.object({
          claim_id: schema.id(),
          language: schema.text(),
          came: schema.oneOf(['asked', 'sent']),
        }),
        { description: 'Each way in which the source reported the event, the first one first.' },
      ),
    },
    write: ({ ways }) => ({
      ways: ways.map(({ claimId, language, came }) => ({ claim_id: claimId, language, came })),
    }),
  },
}

function writeRawEvent(reading: RawEventReading): Readonly<Record<string, unknown>> {
  const { observation } = reading
  const { place, time, vessel } = observation
  const timestamp = instantOf(time, place.timeZone).at
  const day = dayOf(time, place.timeZone)
  const moment = time.kind === 'day' ? null : timestamp
  const isEstimated = observation.classifier !== 'ACT'
  return {
    event: rawEventName({ ...reading, ...observation, unlocode: place.unlocode }),
    original_event: observation.original,
    timestamp,
    estimated: isEstimated,
    actual_on: isEstimated ? null : day,
    estimated_on: isEstimated ? day : null,
    actual_at: isEstimated ? null : moment,
    estimated_at: isEstimated ? moment : null,
    timezone: place.timeZone,
    created_at: reading.recordedAt,
    location_name: place.name ?? readPlace(place.unlocode)?.place.name ?? null,
    location_locode: place.unlocode,
    vessel_name: nameShip(vessel?.imo ?? null, vessel?.name ?? null).name,
    vessel_imo: vessel?.imo ?? null,
    index: reading.index,
    voyage_number: observation.voyage,
    will_occur_at: isEstimated ? timestamp : null,
    invalidated_at: reading.retiredAt,
    data_source: ofContract.find((each) => each === reading.sourceKind) ?? null,
    data_provider_name: findShippingLine(reading.sourceCode)?.name ?? reading.sourceCode,
    data_provider_code: reading.sourceCode,
  }
}

/** An instant has a day only in a time zone. */
function dayOf(time: EventTime, timeZone: string | null): string | null {
  if (time.kind === 'day') return time.on
  if (time.kind === 'local') return time.local.slice(0, 10)
  return timeZone === null ? null : localDateIn(time.at, timeZone)
}
