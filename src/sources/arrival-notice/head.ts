/**
 * Identifies a notice: its document, its label and when it was issued, and the boxes and bookings that it is about. The
 * keys of all its statements begin with `an|document|label|`: this is the scope of which the notice is the full
 * picture.
 */

import { createHash } from 'node:crypto'
import { parseContainerNumber, parseReferenceNumber } from '../../core/values/identifiers.ts'
import { parseEventTime } from '../../core/values/time.ts'
import { type ReadContext, recall } from '../dcsa/context.ts'
import { type Part, readPart, readParts, readText } from '../dcsa/part.ts'
import { quoted } from '../source-issue.ts'

export interface NoticeBox {
  readonly number: string
  /** Its element of `utilizedTransportEquipments`. */
  readonly part: Part
}

export interface NoticeHead {
  readonly bill: string
  /** In the form for keys. */
  readonly label: string
  /** Beginning of the keys of all statements of the notice. */
  readonly scope: string
  readonly issuedText: string | null
  readonly issuedAt: string | null
  readonly bookings: readonly string[]
  readonly boxes: readonly NoticeBox[]
}

/** Null without the number of its document: nothing else says what it is about. */
export function readHead(whole: Part, context: ReadContext): NoticeHead | null {
  const { issues } = context
  const said = readText(whole, 'transportDocumentReference', issues)
  const bill = said === null ? null : parseReferenceNumber(said)
  if (bill?.ok !== true) return null
  const label = labelOf(whole.value['typeLabel'])
  const issuedText = readText(whole, 'issueDateTime', issues)
  return {
    bill: bill.value,
    label,
    scope: `an|${bill.value}|${label}`,
    issuedText,
    issuedAt: readIssuedAt(whole, issuedText, context),
    bookings: readBookings(whole, context),
    boxes: readBoxes(whole, context),
  }
}

/** The scope of a key of a notice's statement: what a later notice of that scope leaves out is no longer said. */
export function scopeOfKey(key: string): string | null {
  return /^an\|[^|]+\|[^|]+(?=\|)/.exec(key)?.[0] ?? null
}

/**
 * Senders compare labels character by character, so a label that is long or has unusual characters is replaced by its
 * hash.
 */
function labelOf(label: unknown): string {
  if (typeof label !== 'string' || label === '') return '-'
  if (/^[A-Za-z0-9][A-Za-z0-9 ,._-]{0,59}$/.test(label)) return label
  return `~${createHash('sha256').update(label).digest('hex').slice(0, 16)}`
}

/** Notices are ordered by this time, so it must be an instant with a zone. */
function readIssuedAt(
  { path }: Part,
  text: string | null,
  { issues, fetchedAtMs }: ReadContext,
): string | null {
  const at = { path: `${path}/issueDateTime`, lost: 'field' } as const
  const time = text === null ? null : parseEventTime(text)
  if (text === null) issues.add('missing_field', at, 'issueDateTime is missing')
  else if (time === null) issues.add('unreadable_time', at, `${quoted(text)} is not an ISO 8601 time`)
  else if (time.kind !== 'instant')
    issues.add('time_without_zone', at, 'the time has no zone: add Z or an offset such as +01:00')
  if (time?.kind !== 'instant') return null
  const ms = Date.parse(time.at)
  const isLate = fetchedAtMs > 0 && ms > fetchedAtMs + 172_800_000
  if (!isLate && ms >= Date.UTC(2000, 0, 1)) return time.at
  issues.add(
    'implausible_time',
    at,
    `${quoted(text ?? '')} cannot be the time of issue: it is before 2000 or in the future`,
  )
  return null
}

function readBookings(whole: Part, { issues }: ReadContext): readonly string[] {
  const numbers = readParts(whole, 'consignmentItems', issues).flatMap((item) => {
    const said = readText(item, 'carrierBookingReference', issues)
    const number = said === null ? null : parseReferenceNumber(said)
    return number?.ok === true ? [number.value] : []
  })
  return [...new Set(numbers)]
}

/** If a box is listed twice, its second entry is left out. */
function readBoxes(whole: Part, { issues, memory }: ReadContext): readonly NoticeBox[] {
  const boxes = new Map<string, NoticeBox>()
  for (const part of readParts(whole, 'utilizedTransportEquipments', issues)) {
    const equipment = readPart(part, 'equipment', issues)
    const said = equipment === null ? null : readText(equipment, 'equipmentReference', issues)
    if (said === null) continue
    const number = recall(memory.containers, said, parseContainerNumber)
    const at = { path: `${part.path}/equipment/equipmentReference`, lost: 'field' } as const
    if (!number.ok) issues.add('bad_equipment', at, `${quoted(said)}: ${number.reason.replaceAll('_', ' ')}`)
    else if (boxes.has(number.value))
      issues.add('wrong_structure', at, 'the notice lists this container twice: the second entry is not used')
    else boxes.set(number.value, { number: number.value, part })
  }
  return [...boxes.values()]
}
