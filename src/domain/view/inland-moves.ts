/**
 * Which milestones of a container belong to its way inland: the train that carried it from its port of discharge, not
 * one that brought it to the ship; the unloading at the end, not at an interchange; the gate of the port or that of the
 * ramp.
 */

import type { Milestone, MilestoneName } from './projection.ts'

export type Move = Pick<Milestone, 'name' | 'callKey' | 'source'>

/** Recognises places by their keys. */
export interface InlandEnds {
  readonly isPort: (placeKey: string) => boolean
  /** Null: the container does not go on inland. */
  readonly isEnd: ((placeKey: string) => boolean) | null
}

export interface InlandMoves<Of> {
  readonly loaded: Of | undefined
  readonly departed: Of | undefined
  readonly unloaded: Of | undefined
  readonly outOfPort: Of | undefined
  readonly outOfEnd: Of | undefined
}

/** `happened`: in journey order. The first train from the port counts, the last unloading and the last gate. */
export function inlandMovesOf<Of extends Move>(
  happened: readonly Of[],
  { isPort, isEnd }: InlandEnds,
): InlandMoves<Of> {
  const sea = happened.findLastIndex(({ name }) => isBySea(name))
  // When no ship was reported, only a train from the port counts: a train from elsewhere may have gone to a ship.
  const first = sea >= 0 ? sea + 1 : happened.findIndex((move) => isByRail(move.name) && isPort(placeOf(move)))
  const onLand = first < 0 ? [] : happened.slice(first)
  const fullOut = happened.findLast(({ name }) => name === 'full_out')
  const onTrain = fullOut === undefined ? [] : onLand.slice(0, Math.max(0, onLand.indexOf(fullOut)))
  const isFetchedInland =
    fullOut !== undefined &&
    (isGateOfRamp(fullOut, isPort) || (isEnd !== null && (isEnd(placeOf(fullOut)) || onTrain.some(comesInland))))
  return {
    loaded: onLand.find(({ name }) => name === 'rail_loaded'),
    departed: onLand.find(({ name }) => name === 'rail_departed'),
    unloaded: onLand.findLast((move) => move.name === 'rail_unloaded' && isEnd?.(placeOf(move)) === true),
    outOfPort: isFetchedInland ? undefined : fullOut,
    outOfEnd: isFetchedInland ? fullOut : undefined,
  }
}

/** The place of a milestone's call: its key without the ordinal of the visit. */
function placeOf({ callKey }: Move): string {
  return callKey.slice(0, callKey.lastIndexOf('#'))
}

function isBySea(name: MilestoneName): boolean {
  return /^(vessel|feeder|transshipment)_/.test(name)
}

function isByRail(name: MilestoneName): boolean {
  return name.startsWith('rail_')
}

function comesInland({ name }: Move): boolean {
  return name === 'rail_arrived' || name === 'rail_unloaded' || name === 'arrived_at_inland_destination'
}

/**
 * A gate that a railway reports is the gate of a ramp, unless it is at the port. This holds even when nobody has named
 * the port, or the end.
 */
function isGateOfRamp(move: Move, isPort: InlandEnds['isPort']): boolean {
  return move.source === 'rail' && !isPort(placeOf(move))
}
