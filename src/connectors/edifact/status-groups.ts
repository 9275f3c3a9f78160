/**
 * The structure of an IFTSTA. Until D.08A consignments (CNI) have statuses (STS), each with its transports (TDT) and
 * containers (EQD). In later directories the containers come first and have the statuses. Messages of later directories
 * are also written in the older order, so the order of the segments decides, not the directory.
 */

import type { Segment } from './segments.ts'

export interface StatusGroup {
  /** From `STS` to the first transport or container. */
  readonly ownSegments: readonly Segment[]
  /** Each list begins with its `TDT`. */
  readonly transports: readonly (readonly Segment[])[]
  /** Each list begins with its `EQD`. */
  readonly containers: readonly (readonly Segment[])[]
}

export interface Consignment {
  /** The segment with which it begins; `STS` when the message names no consignment. */
  readonly kind: 'CNI' | 'EQD' | 'STS'
  /** The segments before its first status. */
  readonly ownSegments: readonly Segment[]
  readonly statuses: readonly StatusGroup[]
}

export interface StatusMessage {
  readonly head: readonly Segment[]
  readonly consignments: readonly Consignment[]
  /** True when an element had more segments than any real message, and the rest was cut off. */
  readonly isCut: boolean
}

/**
 * Maximum segments of a consignment's head, of a status, and of a transport: all of them are repeated for each
 * container. Real ones have some dozens.
 */
const segmentsMax = 200
const transportsMax = 10

interface Draft {
  readonly kind: Consignment['kind']
  readonly ownSegments: Segment[]
  readonly statuses: {
    readonly ownSegments: Segment[]
    readonly transports: Segment[][]
    readonly containers: Segment[][]
  }[]
}

export function readStatusGroups(segments: readonly Segment[]): StatusMessage {
  const head: Segment[] = []
  const consignments: Draft[] = []
  let into = head
  let isCut = false
  const add = (list: Segment[], segment: Segment): void => {
    if (list.length < segmentsMax) list.push(segment)
    else isCut = true
  }
  const begin = (kind: Consignment['kind'], ownSegments: Segment[]): void => {
    consignments.push({ kind, ownSegments, statuses: [] })
    into = ownSegments
  }
  for (const segment of segments) {
    const consignment = consignments.at(-1)
    const status = consignment?.statuses.at(-1)
    if (segment.tag === 'CNI') begin('CNI', [segment])
    else if (segment.tag === 'STS') {
      if (consignment === undefined) begin('STS', [])
      into = [segment]
      consignments.at(-1)?.statuses.push({ ownSegments: into, transports: [], containers: [] })
    } else if (segment.tag === 'TDT' && status !== undefined) {
      into = [segment]
      if (status.transports.length < transportsMax) status.transports.push(into)
      else isCut = true
    } else if (segment.tag === 'EQD') {
      const isOfStatus = status !== undefined && consignment?.kind !== 'EQD'
      const isOfConsignment = consignment !== undefined && status === undefined && consignment.kind !== 'EQD'
      if (isOfStatus) {
        into = [segment]
        status.containers.push(into)
      } else if (isOfConsignment) add(into, segment)
      else begin('EQD', [segment])
    } else if (isMessageTotal(segment)) continue
    else add(into, segment)
  }
  return { head, consignments, isCut }
}

/** Totals of the message, which belong to no consignment. */
function isMessageTotal({ tag }: Segment): boolean {
  return tag === 'CNT' || tag === 'UNS' || tag === 'AUT'
}
