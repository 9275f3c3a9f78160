/** What is served of boxes that wait at a terminal or ramp, held against what truly stands there. */

import { ashoreOf } from '../../sandbox/ashore.ts'
import { ashoreSoFar } from '../../sandbox/ashore-truth.ts'
import { terminalOperatorAt } from '../../sandbox/facilities.ts'
import { terminalsOf } from '../../sandbox/places.ts'
import { portOfDischargeOf } from '../../sandbox/shipment.ts'
import { type Stayed, shownOfAnswer, shownOfTruth } from '../../test/e2e/ashore-shown.ts'
import type { WireResource } from '../../test/support/api.ts'
import type { Report } from '../kill-proof/checks.ts'
import type { TrueBox } from './questions.ts'

type Boxes = ReadonlyMap<string, TrueBox>

interface AtPort extends Stayed {
  readonly place: string
}

export interface Ashore {
  /** The last truths of each waiting box, the newest last. */
  readonly truths: Map<string, string[]>
  readonly problems: string[]
  readonly boxes: Set<string>
  compared: number
  /** Looks at boxes of which nobody has said at which of a port's terminals they are: those are not asked. */
  unplaced: number
}

export function newAshore(): Ashore {
  return { truths: new Map(), problems: [], boxes: new Set(), compared: 0, unplaced: 0 }
}

/** Steps back at which what is served may have been looked at: where nothing is new for some time it is asked more seldom. */
const stepsBack = 3

export function compareAshore(
  ashore: Ashore,
  listed: readonly WireResource[],
  boxes: Boxes,
  nowMs: number,
): void {
  for (const { attributes, relationships } of listed) {
    const number = String(attributes['number'])
    const box = boxes.get(number)
    const stay = box === undefined ? null : waitingAt(box, nowMs)
    if (stay === null) {
      ashore.truths.delete(number)
      continue
    }
    const truths = ashore.truths.get(number) ?? []
    ashore.truths.set(number, [...truths.slice(1 - stepsBack), shownOfTruth(stay)])
    // What comes ashore is known by its first answer some hours later.
    if (truths.length < 2 || attributes['terminal_checked_at'] === null) continue
    const served = shownOfAnswer(attributes, 'pickup_lfd_terminal')
    if (isUnplaced(relationships, stay)) {
      ashore.unplaced += 1
      continue
    }
    ashore.compared += 1
    ashore.boxes.add(number)
    if (!(ashore.truths.get(number) ?? []).includes(served))
      ashore.problems.push(
        `${new Date(nowMs).toISOString()} ${number} at ${box?.shipment.to}: served ${served}, true ${shownOfTruth(stay)}`,
      )
  }
}

export function reportOf({ compared, unplaced, boxes, problems }: Ashore): Report {
  return {
    says: `${compared} looks at ${boxes.size} boxes ashore: holds, fees, last free day, availability, yard place and appointment were what they are; ${unplaced} at boxes whose terminal nobody names, so that none is asked.`,
    problems: boxes.size === 0 ? ['no box was seen ashore'] : problems,
  }
}

/**
 * At a terminal of the port of discharge, which is asked, and to be fetched there: of those that go on by train the railway
 * speaks as soon as they are on it, and nobody is asked where a barge brings them.
 */
function waitingAt({ shipment, place }: TrueBox, nowMs: number): AtPort | null {
  const ashore = ashoreOf(shipment, place)
  if (ashore === null || ashore.rail !== null || terminalOperatorAt(ashore.port.place) === null) return null
  if (ashore.port.place !== portOfDischargeOf(shipment, place)) return null
  const { at_port: port } = ashoreSoFar(shipment, place, nowMs) as { readonly at_port: AtPort | null }
  return port?.is_waiting === true ? port : null
}

/** In a port of several terminals, and neither the line nor a partner has named one. */
function isUnplaced(relationships: WireResource['relationships'], { place }: AtPort): boolean {
  return relationships?.['pod_terminal']?.data === null && terminalsOf(place).length > 1
}
