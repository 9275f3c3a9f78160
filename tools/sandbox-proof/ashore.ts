/** What is served of boxes that wait at a terminal or ramp, held against what truly stands there. */

import { ashoreOf } from '../../sandbox/ashore.ts'
import { terminalOperatorAt } from '../../sandbox/facilities.ts'
import { HOUR } from '../../sandbox/local-time.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import { type Stay, standingAt } from '../../sandbox/stay.ts'
import type { WireResource } from '../../test/support/api.ts'
import type { Report } from '../kill-proof/checks.ts'

type Boxes = ReadonlyMap<string, { readonly shipment: Shipment; readonly place: number }>

export interface Ashore {
  /** The last truths of each waiting box, the newest last. */
  readonly truths: Map<string, string[]>
  readonly problems: string[]
  readonly boxes: Set<string>
  compared: number
}

export function newAshore(): Ashore {
  return { truths: new Map(), problems: [], boxes: new Set(), compared: 0 }
}

/** Steps back at which what is served may have been looked at: where nothing is new for some time it is asked more seldom. */
const stepsBack = 3

export function compareAshore(
  ashore: Ashore,
  listed: readonly WireResource[],
  boxes: Boxes,
  nowMs: number,
): void {
  for (const { attributes } of listed) {
    const number = String(attributes['number'])
    const box = boxes.get(number)
    const stay = box === undefined ? null : waitingAt(box, nowMs)
    if (stay === null) {
      ashore.truths.delete(number)
      continue
    }
    const truths = ashore.truths.get(number) ?? []
    ashore.truths.set(number, [...truths.slice(1 - stepsBack), truthOf(stay, nowMs)])
    // What comes ashore is known by its first answer some hours later.
    if (truths.length < 2 || attributes['terminal_checked_at'] === null) continue
    const served = servedOf(attributes)
    ashore.compared += 1
    ashore.boxes.add(number)
    if (!(ashore.truths.get(number) ?? []).includes(served))
      ashore.problems.push(
        `${new Date(nowMs).toISOString()} ${number} at ${stay.place}: served ${served}, true ${truthOf(stay, nowMs)}`,
      )
  }
}

export function reportOf({ compared, boxes, problems }: Ashore): Report {
  return {
    says: `${compared} looks at ${boxes.size} boxes ashore: holds, fees, last free day, availability, yard place and appointment were what they are.`,
    problems: boxes.size === 0 ? ['no box was seen ashore'] : problems,
  }
}

function waitingAt(
  { shipment, place }: { readonly shipment: Shipment; readonly place: number },
  nowMs: number,
) {
  const ashore = ashoreOf(shipment, place)
  const isIn = (stay: Stay | null): stay is Stay =>
    stay !== null && nowMs >= stay.landedAt && (stay.leavesAt === null || nowMs < stay.leavesAt)
  if (ashore === null) return null
  // Those that go on by train: the railway speaks of them as soon as they are on it.
  if (isIn(ashore.ramp)) return null
  const isAsked = terminalOperatorAt(ashore.port.place) !== null
  return isAsked && isIn(ashore.port) && ashore.rail === null ? ashore.port : null
}

function truthOf(stay: Stay, nowMs: number): string {
  const standing = standingAt(stay, nowMs)
  if (standing === null) return 'unknown'
  const { holds, lastFreeDay, available, yardLocation, appointmentAt } = standing
  return write({
    holds: holds.map(({ name }) => name),
    lfd: lastFreeDay,
    available,
    yard: yardLocation,
    appointment: appointmentAt === null ? null : new Date(appointmentAt).toISOString(),
  })
}

function servedOf(attributes: WireResource['attributes']): string {
  const holds = attributes['holds_at_pod_terminal'] as readonly { readonly name: string }[]
  const deadlines = attributes['import_deadlines'] as Readonly<Record<string, string | null>>
  const appointment = attributes['pickup_appointment_at'] as string | null
  return write({
    holds: holds.map(({ name }) => name),
    lfd: deadlines['pickup_lfd_terminal'] ?? null,
    available: attributes['available_for_pickup'] as boolean | null,
    yard: attributes['location_at_pod_terminal'] as string | null,
    appointment: appointment === null ? null : new Date(appointment).toISOString(),
  })
}

interface Shown {
  readonly holds: readonly string[]
  readonly lfd: string | null
  readonly available: boolean | null
  readonly yard: string | null
  readonly appointment: string | null
}

/** A last free day is midnight of its day at the place: the day before or on it in UTC. */
function write({ holds, lfd, available, yard, appointment }: Shown): string {
  const day = lfd === null ? '-' : new Date(Date.parse(lfd) + 12 * HOUR).toISOString().slice(0, 10)
  return `holds ${holds.toSorted().join()}, last free day ${day}, available ${available}, yard ${yard}, appointment ${appointment}`
}
