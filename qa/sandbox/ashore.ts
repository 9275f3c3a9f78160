/** Compares what the API shows of boxes that wait at a terminal or ramp with the truth. */

import { ashoreOf } from '../../sandbox/ashore.ts'
import { ashoreSoFar } from '../../sandbox/ashore-truth.ts'
import { terminalOperatorAt } from '../../sandbox/facilities.ts'
import { terminalsOf } from '../../sandbox/places.ts'
import { portOfDischargeOf } from '../../sandbox/shipment.ts'
import { type Stayed, shownOfAnswer, shownOfTruth } from '../../test/e2e/ashore-shown.ts'
import type { WireResource } from '../../test/support/api.ts'
import type { Report } from '../kill/checks.ts'
import type { TrueBox } from './questions.ts'

type Boxes = ReadonlyMap<string, TrueBox>

interface AtPort extends Stayed {
  readonly place: string
}

export interface Ashore {
  /** The last true states of each waiting box, the newest last. */
  readonly truths: Map<string, string[]>
  readonly problems: string[]
  readonly boxes: Set<string>
  compared: number
  /**
   * Comparisons that were skipped because nobody named the terminal of the box within its port. Such a box is not asked
   * for.
   */
  unplaced: number
}

export function newAshore(): Ashore {
  return { truths: new Map(), problems: [], boxes: new Set(), compared: 0, unplaced: 0 }
}

/** How many steps back the served state may be. A box without news is asked for less often. */
const stepsBack = 3

export function compareAshore(ashore: Ashore, listed: readonly WireResource[], boxes: Boxes, nowMs: number): void {
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
    // A discharged box is known only some hours later, after the first answer about it.
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
 * Only boxes that wait at an asked terminal of the port of discharge and are fetched there. For a box that goes on by
 * train the railway reports as soon as it is on the train, and nobody is asked at the place where a barge takes a box.
 */
function waitingAt({ shipment, place }: TrueBox, nowMs: number): AtPort | null {
  const ashore = ashoreOf(shipment, place)
  if (ashore === null || ashore.rail !== null || terminalOperatorAt(ashore.port.place) === null) return null
  if (ashore.port.place !== portOfDischargeOf(shipment, place)) return null
  const { at_port: port } = ashoreSoFar(shipment, place, nowMs) as { readonly at_port: AtPort | null }
  return port?.is_waiting === true ? port : null
}

/** The port has several terminals, and neither the line nor a partner has named one. */
function isUnplaced(relationships: WireResource['relationships'], { place }: AtPort): boolean {
  return relationships?.['pod_terminal']?.data === null && terminalsOf(place).length > 1
}
