/**
 * The acknowledgement of an interchange: 997, or 999 where the partner wants it. It states which messages were received
 * and can be read as X12, and nothing about their content. An acknowledgement is never acknowledged.
 */

import { type Envelope, type GroupEnd, type Message, readMessages } from './messages.ts'
import { elementOf, isFault, readSegments, type Segment } from './segments.ts'

export type AcknowledgementKind = '997' | '999'

export interface AcknowledgementOptions {
  readonly kind: AcknowledgementKind
  /** ISO instant; the envelope has it in UTC. */
  readonly now: string
  /**
   * Counts our own interchanges to this partner, 1 to 999999999. Called once for each interchange that is acknowledged.
   */
  readonly nextControlNumber: () => number
}

/** Null where there is nothing to acknowledge: no group in an envelope, or only acknowledgements. Never throws. */
export function writeAcknowledgement(delivery: Buffer, of: AcknowledgementOptions): Buffer | null {
  const answers: Buffer[] = []
  for (const [interchange, groups] of groupsByInterchange(delivery)) {
    answers.push(writeInterchange(interchange, groups, of))
  }
  return answers.length === 0 ? null : Buffer.concat(answers)
}

interface Group {
  readonly segment: Segment
  readonly messages: readonly Pick<Message, 'head' | 'end' | 'isWhole' | 'isNumbered' | 'isCounted'>[]
  readonly counted: number | null
}

/** `FA` is the group in which 997 and 999 themselves are sent. */
function groupsByInterchange(delivery: Buffer): ReadonlyMap<Segment, readonly Group[]> {
  const byInterchange = new Map<Segment, Group[]>()
  let messages: Group['messages'][number][] = []
  for (const item of readMessages(readSegments([delivery]))) {
    if (isFault(item)) continue
    if (item.kind === 'message') {
      if (item.envelope.group !== null) messages.push(dropBodySegments(item))
      continue
    }
    const group = groupOf(item, messages)
    messages = []
    const { interchange } = item.envelope
    if (group === null || interchange === null) continue
    const groups = byInterchange.get(interchange)
    if (groups === undefined) byInterchange.set(interchange, [group])
    else groups.push(group)
  }
  return byInterchange
}

function dropBodySegments({ head, end, isWhole, isNumbered, isCounted }: Message): Group['messages'][number] {
  return { head, end, isWhole, isNumbered, isCounted }
}

function groupOf({ envelope, counted }: GroupEnd, messages: Group['messages']): Group | null {
  const { group }: Envelope = envelope
  const acknowledgeable = messages.filter(({ head }) => !['997', '999'].includes(elementOf(head, 1)))
  if (group === null || elementOf(group, 1) === 'FA' || acknowledgeable.length === 0) return null
  return { segment: group, messages: acknowledgeable, counted }
}

type Elements = readonly (string | number)[]

function writeInterchange(interchange: Segment, groups: readonly Group[], of: AcknowledgementOptions): Buffer {
  const [group] = groups
  const date = of.now.replace(/\D/g, '')
  const [day, clock] = [date.slice(0, 8), date.slice(8, 12)]
  const controlNumber = of.nextControlNumber()
  const number = String(controlNumber).padStart(9, '0')
  const isaElement = (element: number): string => elementOf(interchange, element)
  const answers = groups.map((each, index) => writeMessage(each, of.kind, String(index + 1).padStart(4, '0')))
  const component = interchange.separators.component
  const version = of.kind === '999' ? '005010X231A1' : group === undefined ? '' : elementOf(group.segment, 8)
  const marks = [
    isaElement(11),
    isaElement(12),
    number,
    '0',
    isaElement(15),
    component === null ? '' : String.fromCharCode(component),
  ]
  const receiver = [
    isaElement(7).padEnd(2),
    isaElement(8).padEnd(15),
    isaElement(5).padEnd(2),
    isaElement(6).padEnd(15),
  ]
  const gsElement = (element: number): string => (group === undefined ? '' : elementOf(group.segment, element))
  const segments: readonly Elements[] = [
    ['ISA', '00', ' '.repeat(10), '00', ' '.repeat(10), ...receiver, day.slice(2), clock, ...marks],
    ['GS', 'FA', gsElement(3), gsElement(2), day, clock, controlNumber, 'X', version],
    ...answers.flat(),
    ['GE', answers.length, controlNumber],
    ['IEA', 1, number],
  ]
  const { element, terminator } = interchange.separators
  const separator = String.fromCharCode(element)
  return Buffer.concat(segments.flatMap((elements) => [Buffer.from(elements.join(separator), 'latin1'), terminator]))
}

function writeMessage(group: Group, kind: AcknowledgementKind, number: string): readonly Elements[] {
  const { segment, messages, counted } = group
  const isImplementation = kind === '999'
  const results = messages.map((message) => ({ message, fault: findFault(message) }))
  const accepted = results.filter(({ fault }) => fault === null || !fault.isRejected).length
  const isAllWell = results.every(({ fault }) => fault === null)
  const acknowledgementCode = accepted === 0 ? 'R' : accepted < results.length ? 'P' : isAllWell ? 'A' : 'E'
  const body: readonly Elements[] = [
    isImplementation
      ? ['AK1', elementOf(segment, 1), elementOf(segment, 6), elementOf(segment, 8)]
      : ['AK1', elementOf(segment, 1), elementOf(segment, 6)],
    ...results.flatMap(({ message, fault }): readonly Elements[] => [
      ['AK2', elementOf(message.head, 1), elementOf(message.head, 2)],
      [isImplementation ? 'IK5' : 'AK5', ...(fault === null ? ['A'] : [fault.isRejected ? 'R' : 'E', fault.code])],
    ]),
    ['AK9', acknowledgementCode, counted ?? results.length, results.length, accepted],
  ]
  const head = isImplementation ? ['ST', kind, number, '005010X231A1'] : ['ST', kind, number]
  return [head, ...body, ['SE', body.length + 2, number]]
}

/** Codes of element 718. A message with a wrong count is reported but still read. */
function findFault(message: Group['messages'][number]): { readonly code: string; readonly isRejected: boolean } | null {
  const type = elementOf(message.head, 1)
  if (type !== '315' && type !== '322') return { code: '1', isRejected: true }
  if (message.end === null) return { code: '2', isRejected: !message.isWhole }
  if (!message.isWhole) return { code: '5', isRejected: true }
  if (!message.isNumbered) return { code: '3', isRejected: false }
  return message.isCounted ? null : { code: '4', isRejected: false }
}
