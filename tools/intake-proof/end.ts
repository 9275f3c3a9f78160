/** How a journey stands in the end, as lines that can be compared: what happened and is to happen, where, when, by what; holds and fees. */

import type { ObservedPlace, ObservedVessel } from '../../src/core/observation.ts'
import type { ContainerProjection, Leg, Milestone, ShipmentProjection } from '../../src/core/projection.ts'
import { type EventTime, instantOf } from '../../src/core/time.ts'

/**
 * Of a box its last trip: of a box that is told of by its number alone, an earlier trip stays beside it where it was shown
 * once, and was never shown where the last was told of first.
 */
export function endOf({ containers }: Pick<ShipmentProjection, 'containers'>): readonly string[] {
  const last = new Map(
    containers.toSorted((a, b) => a.trip - b.trip).map((container) => [container.number, container]),
  )
  return [...last.values()].flatMap(linesOf).toSorted()
}

function linesOf(box: ContainerProjection): readonly string[] {
  const { freeTime, podVessel } = box
  const legs = [
    `loading ${writeLeg(box.portOfLoading)}`,
    `discharge ${writeLeg(box.portOfDischarge)}`,
    `destination ${box.destination === null ? '-' : writeLeg(box.destination)}`,
  ]
  const lines = [
    `status ${box.status}${box.isTerminated ? ' terminated' : ''}`,
    ...box.milestones.map(writeMilestone),
    ...legs,
    `ship ${writeShip(podVessel)} ${box.podVoyage ?? '-'}`,
    ...box.holds.map(({ name, status }) => `hold ${name} ${status}`),
    ...box.fees.map(({ type, amount }) => `fee ${type} ${amount}`),
    `free until ${writeTime(freeTime.terminal)}`,
    `available ${box.available ?? '-'}`,
  ]
  return lines.map((line) => `${box.number} ${line}`)
}

function writeMilestone({ kind, name, callKey, place, time, vessel, voyage }: Milestone): string {
  // Two estimates are compared by their moments, however their times are written.
  const at = kind === 'estimated' ? instantOf(time, place.timeZone).at : writeTime(time)
  return [kind, name, callKey, writePlace(place), at, writeShip(vessel), voyage ?? '-'].join(' ')
}

/** What was foretold of a ship that has come stays as it was foretold last before: that is a memory of what was shown. */
function writeLeg({ place, etd, atd, eta, ata }: Leg): string {
  return [writePlace(place), ...[etd, atd, ata ?? eta].map(writeTime)].join(' ')
}

function writePlace(place: ObservedPlace | null): string {
  return place?.unlocode ?? place?.name ?? '-'
}

function writeShip(vessel: ObservedVessel | null): string {
  return vessel === null ? '-' : `${vessel.imo ?? '-'}/${vessel.name ?? '-'}`
}

function writeTime(time: EventTime | null): string {
  if (time === null) return '-'
  return time.kind === 'instant' ? time.at : time.kind === 'local' ? time.local : time.on
}
