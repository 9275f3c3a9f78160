/**
 * The final state of a journey as lines that can be compared: what happened or is planned, where, when, with which
 * ship; holds and fees.
 */

import type { ObservedPlace, ObservedVessel } from '../../src/domain/statements/observation.ts'
import { type EventTime, instantOf } from '../../src/domain/values/time.ts'
import type { ContainerProjection, Leg, Milestone, ShipmentProjection } from '../../src/domain/view/projection.ts'

/**
 * Uses only the last trip of a box. For a box that is known by its number alone, an earlier trip depends on the order:
 * it stays if it was shown once, and is never shown if the last trip was received first.
 */
export function endOf({ containers, originalEtd, originalEta }: Shown): readonly string[] {
  const last = new Map(containers.toSorted((a, b) => a.trip - b.trip).map((container) => [container.number, container]))
  const first = `first estimates ${writeMoment(originalEtd)} ${writeMoment(originalEta)}`
  return [...[...last.values()].flatMap(linesOf), first].toSorted()
}

type Shown = Pick<ShipmentProjection, 'containers' | 'originalEtd' | 'originalEta'>

/** However the time is written. */
function writeMoment(time: EventTime | null): string {
  return time === null ? '-' : instantOf(time, null).at
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

/**
 * After the arrival the last estimate stays in the projection. It depends on what was shown before, so the actual time
 * is written instead.
 */
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
