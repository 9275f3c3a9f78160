/** Milestones of a container as a timeline: what happened and what is expected, with place and time. */

import type { TransportEventReading } from '../../modules/transport-events/list-transport-events-sql.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { object, orNull, text, textOrNull } from '../tool/schema.ts'
import { markUnlessCode } from './fence.ts'
import { writeInstant } from './local-time.ts'
import { vesselSchema, writeVessel } from './places.ts'

export const timelineEntry = object({
  event: text,
  timestamp: textOrNull,
  timezone: textOrNull,
  local: textOrNull,
  value: textOrNull,
  voyage_number: textOrNull,
  vessel: vesselSchema,
  said_by: text,
  location: orNull(object({ name: textOrNull, code: textOrNull, type: text })),
})

export function writeTimeline(events: readonly TransportEventReading[]) {
  return events.map((event) => ({
    event: event.event,
    timestamp: event.occursAt,
    timezone: event.timeZone,
    local: event.occursAt === null ? null : writeInstant(event.occursAt, event.timeZone),
    value: event.value,
    voyage_number: markUnlessCode(event.voyageNumber),
    vessel:
      event.vesselImo === null && event.vesselName === null
        ? null
        : writeVessel({ imo: event.vesselImo, name: event.vesselName }),
    said_by: event.dataSource,
    location: writeLocation(event),
  }))
}

function writeLocation({ unlocode, terminalId }: TransportEventReading) {
  const terminal = terminalId === null ? null : findTerminalById(terminalId)
  if (terminal !== null) return { name: terminal.name, code: unlocode, type: 'terminal' }
  if (unlocode === null) return null
  const place = findPlaceByCode(unlocode)
  return { name: place?.name ?? null, code: unlocode, type: place?.kind ?? 'port' }
}

export const eventCategories = ['vessel', 'rail', 'truck', 'terminal', 'other'] as const
type Category = (typeof eventCategories)[number]

/** The means of transport that an event belongs to, by its name. */
export function categoryOf(event: string): Category {
  const name = event.replace(/^container\.transport\.(estimated\.)?/, '')
  if (/^(vessel|transshipment|feeder)_/.test(name)) return 'vessel'
  if (/^rail_|inland_destination$/.test(name)) return 'rail'
  if (/^(empty_out|full_in|full_out|empty_in|delivered)$/.test(name)) return 'truck'
  return /^(available|not_available)$|pickup/.test(name) ? 'terminal' : 'other'
}
