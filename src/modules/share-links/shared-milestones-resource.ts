/** The milestones of a container as anybody sees them who opens a share link. */

import * as schema from '../../api/shape/schema.ts'
import type { ObservedVessel } from '../../domain/statements/observation.ts'
import { type MilestoneName, milestoneNames } from '../../domain/view/projection.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { nameShip } from '../../reference/vessels.ts'
import type { TransportEventReading } from '../transport-events/list-transport-events-sql.ts'
import type { SharedContainer } from './read-shared.ts'

const classifiers = ['planned', 'estimated', 'actual'] as const

export const vesselOrNull = (extra: Readonly<Record<string, unknown>> = {}) =>
  schema.anyOf([schema.object({ name: schema.textOrNull(), imo: schema.textOrNull() }, extra), schema.nothing()])

export const milestoneSchema = schema.object({
  event: schema.oneOf(milestoneNames),
  classifier: schema.oneOf(classifiers, {
    description:
      '`actual`: it has happened. `estimated`: a source expects it at this time. `planned`: only the schedule contains it.',
  }),
  at: schema.instantOrNull(),
  timezone: schema.zoneOrNull(),
  locode: schema.textOrNull(),
  place: schema.textOrNull({ description: 'Name in the reference data; null if the place is not in it.' }),
  vessel: vesselOrNull(),
  voyage_number: schema.textOrNull(),
})

interface Milestone {
  readonly name: MilestoneName
  readonly classifier: (typeof classifiers)[number]
  readonly at: string | null
  readonly timeZone: string | null
  readonly unlocode: string | null
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
}

/** By time. A planned move is not listed if an event reports the same move. */
export function writeMilestones({ events, planned }: SharedContainer): readonly object[] {
  const reported = events.flatMap(readMilestone)
  const isReported = ({ name, unlocode }: Pick<Milestone, 'name' | 'unlocode'>) =>
    reported.some((each) => each.name === name && each.unlocode === unlocode)
  const ahead = planned
    .filter((move) => !isReported(move))
    .map((move): Milestone => ({ ...move, classifier: 'planned' }))
  return [...reported, ...ahead].toSorted(byTime).map(writeMilestone)
}

/** Nothing for an event about a deadline. */
function readMilestone(event: TransportEventReading): readonly Milestone[] {
  const [, estimated, keyword] = /^container\.transport\.(estimated\.)?(\w+)$/.exec(event.event) ?? []
  const name = milestoneNames.find((each) => each === keyword)
  if (name === undefined) return []
  const { vesselImo: imo, vesselName } = event
  return [
    {
      name,
      classifier: estimated === undefined ? 'actual' : 'estimated',
      at: event.occursAt,
      timeZone: event.timeZone,
      unlocode: event.unlocode,
      vessel: imo === null && vesselName === null ? null : { imo, name: vesselName },
      voyage: event.voyageNumber,
    },
  ]
}

function byTime(one: Milestone, other: Milestone): number {
  const [a, b] = [one.at ?? '9999', other.at ?? '9999']
  return a < b ? -1 : a > b ? 1 : 0
}

function writeMilestone({ name, classifier, at, timeZone, unlocode, vessel, voyage }: Milestone): object {
  return {
    event: name,
    classifier,
    at,
    timezone: timeZone,
    locode: unlocode,
    place: unlocode === null ? null : (findPlaceByCode(unlocode)?.name ?? null),
    vessel: writeVessel(vessel),
    voyage_number: voyage,
  }
}

export function writeVessel(vessel: ObservedVessel | null): object | null {
  return vessel === null ? null : { name: nameShip(vessel.imo, vessel.name).name, imo: vessel.imo }
}
