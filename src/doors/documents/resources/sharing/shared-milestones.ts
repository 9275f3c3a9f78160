/** The milestones of a container as anybody sees them who opens a share link. */

import { type MilestoneName, milestoneNames } from '../../../../core/shown/projection.ts'
import type { ObservedVessel } from '../../../../core/statements/observation.ts'
import { findPlaceByCode } from '../../../../reference/places.ts'
import { nameShip } from '../../../../reference/vessels.ts'
import type { SharedContainer } from '../../../../service/sharing/read-shared.ts'
import type { TransportEventReading } from '../../../../store/read/transport-events.ts'
import * as schema from '../../shape/schema.ts'

const classifiers = ['planned', 'estimated', 'actual'] as const

export const vesselOrNull = (extra: Readonly<Record<string, unknown>> = {}) =>
  schema.anyOf([
    schema.object({ name: schema.textOrNull(), imo: schema.textOrNull() }, extra),
    schema.nothing(),
  ])

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
  const told = events.flatMap(readMilestone)
  const isTold = ({ name, unlocode }: Pick<Milestone, 'name' | 'unlocode'>) =>
    told.some((each) => each.name === name && each.unlocode === unlocode)
  const ahead = planned
    .filter((move) => !isTold(move))
    .map((move): Milestone => ({ ...move, classifier: 'planned' }))
  return [...told, ...ahead].toSorted(byTime).map(write)
}

/** Nothing for an event about a deadline. */
function readMilestone(event: TransportEventReading): readonly Milestone[] {
  const [, estimated, word] = /^container\.transport\.(estimated\.)?(\w+)$/.exec(event.event) ?? []
  const name = milestoneNames.find((each) => each === word)
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

function write({ name, classifier, at, timeZone, unlocode, vessel, voyage }: Milestone): object {
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
