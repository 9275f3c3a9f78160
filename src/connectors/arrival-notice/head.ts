/**
 * Identifies a notice: its document, its label and when it was issued, and the containers and bookings that it is
 * about. The keys of all its statements begin with `an|document|label|`: this is the scope of which the notice is the
 * full picture.
 */

import { createHash } from 'node:crypto'
import { parseEquipmentReference, parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { noteCheckDigit } from '../container-reference.ts'
import { memoize, type ReadContext } from '../dcsa/context.ts'
import { type JsonNode, readObject, readObjects, readText } from '../dcsa/json-node.ts'
import { quoteValue } from '../source-issue.ts'

export interface NoticeContainer {
  readonly number: string
  /** Its element of `utilizedTransportEquipments`. */
  readonly node: JsonNode
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
  readonly containers: readonly NoticeContainer[]
}

/** Null without the number of its document: nothing else states what it is about. */
export function readHead(whole: JsonNode, context: ReadContext): NoticeHead | null {
  const { issues } = context
  const rawNumber = readText(whole, 'transportDocumentReference', issues)
  const bill = rawNumber === null ? null : parseReferenceNumber(rawNumber)
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
    containers: readContainers(whole, context),
  }
}

/** The scope of a key of a notice's statement: what a later notice of that scope omits is withdrawn. */
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
function readIssuedAt({ path }: JsonNode, text: string | null, { issues, fetchedAtMs }: ReadContext): string | null {
  const at = { path: `${path}/issueDateTime`, lost: 'field' } as const
  const time = text === null ? null : parseEventTime(text)
  if (text === null) issues.add('missing_field', at, 'issueDateTime is missing')
  else if (time === null) issues.add('unreadable_time', at, `${quoteValue(text)} is not an ISO 8601 time`)
  else if (time.kind !== 'instant')
    issues.add('time_without_zone', at, 'the time has no zone: add Z or an offset such as +01:00')
  if (time?.kind !== 'instant') return null
  const ms = Date.parse(time.at)
  const isLate = fetchedAtMs > 0 && ms > fetchedAtMs + 172_800_000
  if (!isLate && ms >= Date.UTC(2000, 0, 1)) return time.at
  issues.add(
    'implausible_time',
    at,
    `${quoteValue(text ?? '')} cannot be the time of issue: it is before 2000 or in the future`,
  )
  return null
}

function readBookings(whole: JsonNode, { issues }: ReadContext): readonly string[] {
  const numbers = readObjects(whole, 'consignmentItems', issues).flatMap((item) => {
    const rawNumber = readText(item, 'carrierBookingReference', issues)
    const number = rawNumber === null ? null : parseReferenceNumber(rawNumber)
    return number?.ok === true ? [number.value] : []
  })
  return [...new Set(numbers)]
}

/** If a container is listed twice, its second entry is left out. */
function readContainers(whole: JsonNode, { issues, memory }: ReadContext): readonly NoticeContainer[] {
  const containers = new Map<string, NoticeContainer>()
  for (const node of readObjects(whole, 'utilizedTransportEquipments', issues)) {
    const equipment = readObject(node, 'equipment', issues)
    const rawNumber = equipment === null ? null : readText(equipment, 'equipmentReference', issues)
    if (rawNumber === null) continue
    const reference = memoize(memory.containers, rawNumber, parseEquipmentReference)
    const at = { path: `${node.path}/equipment/equipmentReference`, lost: 'field' } as const
    if (!reference.ok) {
      issues.add('bad_equipment', at, `${quoteValue(rawNumber)}: ${reference.reason.replaceAll('_', ' ')}`)
      continue
    }
    const { number } = reference.value
    noteCheckDigit(reference.value, at.path, issues)
    if (containers.has(number))
      issues.add('wrong_structure', at, 'the notice lists this container twice: the second entry is not used')
    else containers.set(number, { number, node })
  }
  return [...containers.values()]
}
