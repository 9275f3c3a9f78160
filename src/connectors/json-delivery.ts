/**
 * Cuts a delivery of JSON into message parts. Each element that names a number becomes one message part, its bytes
 * unchanged; every other element is a fault with its place. Each element is parsed only once and its value is not
 * stored. A message part that the delivery contains twice is ingested once.
 */

import { isObject, type JsonObject } from '../domain/values/json-value.ts'
import { keyOfDelivery } from './delivery-key.ts'
import { findElements, type JsonElement } from './json-elements.ts'
import { type DeliveryParts, type MentionedNumber, type MessagePart, messagePartsMax } from './pushed-source.ts'
import { IssueList, type SourceIssue, type SourceIssueKind } from './source-issue.ts'

/** Finds the numbers that one element is about. Null, with an issue, when the element cannot be a message part. */
export type ReadMessageHeader = (
  value: JsonObject,
  at: { readonly path: string; readonly issues: IssueList },
) => MessageHeader | null

export interface MessageHeader {
  readonly about: readonly MentionedNumber[]
  /** What the sender calls this message (ids, times), each at most 300 characters; null where the sender gives none. */
  readonly senderReferences: readonly string[] | null
  readonly writtenAt: string | null
}

export interface CutOptions {
  /** Names (lower case) of the members that hold the list of elements. */
  readonly lists: readonly string[]
  /** Maximum size of one element. */
  readonly bytesMax: number
  readonly readHeader: ReadMessageHeader
}

/** Maximum elements of one delivery that are not message parts. No honest sender exceeds it. */
export const refusedMax = 10_000
/** Far deeper than anything that is read. */
const depthMax = 64

export function cutDelivery(body: Buffer, by: CutOptions): DeliveryParts {
  const book = openPartCollector(body, by)
  for (const element of findElements(body, by.lists)) if (!book.take(element)) break
  return book.close()
}

export interface PartCollector {
  /** False once the list is full and accepts no more elements. */
  readonly take: (element: JsonElement) => boolean
  readonly close: () => DeliveryParts
}

export function openPartCollector(body: Buffer, { bytesMax, readHeader }: Omit<CutOptions, 'lists'>): PartCollector {
  const issues = new IssueList(1)
  const parts: MessagePart[] = []
  const known = new Set<string>()
  let refused = 0
  let stop: SourceIssue | null = null
  const lose = (kind: SourceIssueKind, path: string, detail: string): null => {
    issues.add(kind, { path, lost: 'event' }, detail)
    return null
  }
  const buildPart = (element: JsonElement): MessagePart | null => {
    if (element.kind === 'fault') return lose(element.issue, element.path, element.detail)
    const { range, path, depth } = element
    if (range.to - range.from > bytesMax)
      return lose('truncated_body', path, `the part has more than ${bytesMax} bytes`)
    if (depth > depthMax) return lose('wrong_structure', path, `the part is nested deeper than ${depthMax} levels`)
    const bytes = body.subarray(range.from, range.to)
    const value = parseObject(bytes)
    if (value === null) return lose('wrong_structure', path, 'this is not a JSON object')
    const header = readHeader(value, { path, issues })
    if (header === null) return null
    const deliveryKey = header.senderReferences && keyOfDelivery(header.senderReferences.join(' '), bytes)
    const { about, writtenAt } = header
    return { about, deliveryKey, writtenAt, ranges: [range], body: bytes }
  }
  return {
    take: (element) => {
      const isFull = parts.length >= messagePartsMax || refused >= refusedMax
      if (isFull) {
        const what = refused >= refusedMax ? `${refusedMax} elements that cannot be read` : `${messagePartsMax} parts`
        const detail = `reading stopped after ${what}`
        stop = { kind: 'truncated_body', page: 1, path: element.path, lost: 'event', detail }
        return false
      }
      const part = buildPart(element)
      if (part === null) refused += 1
      else if (part.deliveryKey === null || !known.has(part.deliveryKey)) parts.push(part)
      if (part !== null && part.deliveryKey !== null) known.add(part.deliveryKey)
      return true
    },
    close: () => ({ parts, faults: stop === null ? issues.all() : [...issues.all(), stop] }),
  }
}

export function parseObject(bytes: Buffer): JsonObject | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    // Not JSON: the caller reports it.
    return null
  }
}

/**
 * Sorts numbers into the order that message parts need (bills, bookings, containers), removes duplicates and the blanks
 * inside.
 */
export function sortMentionedNumbers(about: readonly MentionedNumber[]): readonly MentionedNumber[] {
  const kinds = ['bill_of_lading', 'booking', 'container'] as const
  const bare = about.map(({ kind, number }) => ({ kind, number: withoutBlanks(number) }))
  const each = new Map(bare.map((mentioned) => [`${mentioned.kind} ${mentioned.number}`, mentioned]))
  return kinds.flatMap((kind) => [...each.values()].filter((mentioned) => mentioned.kind === kind))
}

export function withoutBlanks(number: string): string {
  return number.replaceAll(' ', '')
}
