/**
 * The structure of an IFTSTA. Until D.08A consignments (CNI) have statuses (STS), each with its transports (TDT) and boxes
 * (EQD); later boxes with their statuses come first. Messages of later directories are written in the older order too, so
 * what stands where decides.
 */

import { codeOf } from './fields.ts'
import type { Segment } from './segments.ts'

export interface StatusGroup {
  /** From `STS` to the first transport or box. */
  readonly own: readonly Segment[]
  /** Each from its `TDT` on. */
  readonly transports: readonly (readonly Segment[])[]
  /** Each from its `EQD` on. */
  readonly boxes: readonly (readonly Segment[])[]
}

export interface Consignment {
  /** By what it was begun; `STS` when the message names no consignment. */
  readonly kind: 'CNI' | 'EQD' | 'STS'
  /** Before its first status. */
  readonly own: readonly Segment[]
  readonly statuses: readonly StatusGroup[]
}

export interface StatusMessage {
  readonly head: readonly Segment[]
  readonly consignments: readonly Consignment[]
}

interface Draft {
  readonly kind: Consignment['kind']
  readonly own: Segment[]
  readonly statuses: {
    readonly own: Segment[]
    readonly transports: Segment[][]
    readonly boxes: Segment[][]
  }[]
}

export function readStatusGroups(segments: readonly Segment[]): StatusMessage {
  const head: Segment[] = []
  const consignments: Draft[] = []
  let into = head
  const begin = (kind: Consignment['kind'], own: Segment[]): void => {
    consignments.push({ kind, own, statuses: [] })
    into = own
  }
  for (const segment of segments) {
    const consignment = consignments.at(-1)
    const status = consignment?.statuses.at(-1)
    if (segment.tag === 'CNI') begin('CNI', [segment])
    else if (segment.tag === 'STS') {
      if (consignment === undefined) begin('STS', [])
      into = [segment]
      consignments.at(-1)?.statuses.push({ own: into, transports: [], boxes: [] })
    } else if (segment.tag === 'TDT' && status !== undefined) {
      into = [segment]
      status.transports.push(into)
    } else if (segment.tag === 'EQD') {
      const isOfStatus = status !== undefined && consignment?.kind !== 'EQD'
      const isOfConsignment = consignment !== undefined && status === undefined && consignment.kind !== 'EQD'
      if (isOfStatus) {
        into = [segment]
        status.boxes.push(into)
      } else if (isOfConsignment) into.push(segment)
      else begin('EQD', [segment])
    } else if (isOfMessage(segment)) continue
    else into.push(segment)
  }
  return { head, consignments }
}

/** Totals of the message are of no consignment. */
function isOfMessage(segment: Segment): boolean {
  return (
    segment.tag === 'CNT' || segment.tag === 'UNS' || (segment.tag === 'AUT' && codeOf(segment, 0) !== '')
  )
}
