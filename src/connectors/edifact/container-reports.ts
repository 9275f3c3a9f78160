/**
 * Which container was carried for which carrier, according to bay plans (BAPLIE D.95B, D.13B), discharge and load
 * reports (COARRI) and gate reports (CODECO): the container in `EQD+CN`, its operator in `NAD+CF`, or `NAD+CA` where
 * that is missing.
 */

import { componentOf } from './fields.ts'
import type { EdifactMessage, Interchange } from './interchange.ts'
import type { Segment } from './segments.ts'

export interface CarriedContainer {
  /** As it was written. */
  readonly number: string
  /** Code of the carrier, as it was written; null when the message does not state it. */
  readonly carrier: string | null
  /** Number of its bill, else of its booking. */
  readonly bill: string | null
  /** Number of its `EQD` in the interchange. */
  readonly segment: number
}

export interface ContainerReport {
  readonly type: ContainerReportType
  readonly reference: string
  /** Day of the message, `YYYY-MM-DD`; null when it has none. */
  readonly statedOn: string | null
  /** Vessel and voyage, if the message names them. */
  readonly voyage: string | null
  readonly containers: readonly CarriedContainer[]
}

export const containerReportTypes = ['BAPLIE', 'COARRI', 'CODECO'] as const
export type ContainerReportType = (typeof containerReportTypes)[number]

/** Messages of other types are left out. */
export function readContainerReports({
  messages,
  segments,
}: Pick<Interchange, 'messages' | 'segments'>): readonly ContainerReport[] {
  const head = segments.find(({ tag }) => tag === 'UNB')
  const sentOn = head === undefined ? null : readDay(componentOf(head, 3))
  return messages.flatMap((message) => {
    const type = containerReportTypes.find((each) => each === message.type)
    return type === undefined ? [] : [readContainerReport(type, message, sentOn)]
  })
}

function readContainerReport(
  type: ContainerReportType,
  message: EdifactMessage,
  sentOn: string | null,
): ContainerReport {
  const groups = groupsOf(type, message.segments)
  const [head = [], ...rest] = groups
  const dated = head.find((each) => each.tag === 'DTM' && componentOf(each, 0) === '137')
  const transport = head.find((each) => each.tag === 'TDT' && componentOf(each, 0) === '20')
  const voyageTexts =
    transport === undefined ? [] : [componentOf(transport, 7, 3), componentOf(transport, 7), componentOf(transport, 1)]
  const voyage = voyageTexts.filter((text) => text !== '').join(' ')
  return {
    type,
    reference: message.reference,
    statedOn: (dated === undefined ? null : readDay(componentOf(dated, 0, 1))) ?? sentOn,
    voyage: voyage === '' ? null : voyage,
    containers: rest.flatMap((group) => readContainers(group, operatorOf(group) ?? operatorOf(head))),
  }
}

/**
 * The head of the message, then its groups: one group for each cell of a bay plan, or for each piece of equipment of
 * the other types.
 */
function groupsOf(type: ContainerReportType, segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const groups: Segment[][] = [[]]
  for (const segment of segments) {
    const begins =
      type === 'BAPLIE' ? segment.tag === 'LOC' && componentOf(segment, 0) === '147' : segment.tag === 'EQD'
    if (begins) groups.push([segment])
    else groups.at(-1)?.push(segment)
  }
  return groups
}

function readContainers(group: readonly Segment[], carrier: string | null): readonly CarriedContainer[] {
  // Bay plans must name a bill and write 1 if they have none.
  const number = ['BM', 'BN'].map((kind) => referenceOf(group, kind)).find((each) => each.length >= 4) ?? null
  return group
    .filter((each) => each.tag === 'EQD' && componentOf(each, 0) === 'CN')
    .map((container) => ({
      number: componentOf(container, 1),
      carrier,
      bill: number,
      segment: container.number,
    }))
}

function referenceOf(group: readonly Segment[], kind: string): string {
  const named = group.find((each) => each.tag === 'RFF' && componentOf(each, 0) === kind)
  return named === undefined ? '' : componentOf(named, 0, 1).trim()
}

function operatorOf(group: readonly Segment[]): string | null {
  for (const role of ['CF', 'CA']) {
    const named = group.find((each) => each.tag === 'NAD' && componentOf(each, 0) === role)
    const code = named === undefined ? '' : componentOf(named, 1).trim()
    if (code !== '') return code
  }
  return null
}

/** Formats 101 and 201 and the one of `UNB` have years with two digits; 102, 203 and 204 have four. */
function readDay(text: string): string | null {
  const digits = text.replace(/\D/g, '')
  const long = /^(20\d\d|19\d\d)(\d\d)(\d\d)(\d{4}|\d{6})?$/.exec(digits)
  const short = /^(\d\d)(\d\d)(\d\d)(\d{4})?$/.exec(digits)
  const [, year, month, day] = long ?? short ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const whole = `${year.length === 4 ? year : `20${year}`}-${month}-${day}`
  const read = new Date(`${whole}T00:00:00Z`)
  return Number.isNaN(read.getTime()) || !read.toISOString().startsWith(whole) ? null : whole
}
