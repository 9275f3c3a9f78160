/** A number to be tracked, what the API knows about it before it is sent, and what became of it. */

import type { TrackingRequestBatch } from '../../../sdk/typescript/src/description.generated.ts'
import { type Connection, Refusal } from '../api/connection.ts'
import { reasonWords } from '../words/names.ts'
import { trackWords as words } from '../words/track.ts'

export type Kind = 'container' | 'bill_of_lading' | 'booking_number'
export type Batch = TrackingRequestBatch
export type Item = NonNullable<Batch['attributes']['items']>[number]

export interface Row {
  readonly id: number
  readonly number: string
  /** Null: found together with the line. */
  readonly kind: Kind | null
  /** Empty: the lines are asked one after the other, the likely one first. */
  readonly scac: string
  readonly refs: readonly string[]
  readonly tags: readonly string[]
  /** How often it was pasted. */
  readonly times: number
  /** How sure kind and line are; null where a person or the table named the line. */
  readonly certainty: 'sure' | 'likely' | 'asked' | null
  readonly candidates: readonly { readonly scac: string; readonly name: string }[]
  readonly suggestion: string | null
  /** What the API remarks about a number that can be tracked. */
  readonly note: string
  /** Why it cannot be tracked as it is; empty when nothing is known against it. */
  readonly fault: string
  readonly isTracked: boolean
  readonly isReading: boolean
  readonly isInferred: boolean
  /** Its place in a batch that was sent; null while it is not sent, and again after a correction. */
  readonly sent: { readonly batchId: string; readonly place: number } | null
}

export type NewRow = Pick<Row, 'number'> & Partial<Row>

let rowsMade = 0

const unread = { suggestion: null, note: '', fault: '', isTracked: false, isReading: true, sent: null } as const
const unknown = { kind: null, scac: '', refs: [], tags: [], times: 1, certainty: null, candidates: [] } as const

export function makeRow(given: NewRow): Row {
  rowsMade += 1
  return { ...unknown, ...unread, id: rowsMade, isInferred: false, ...given, isReading: (given.fault ?? '') === '' }
}

/** What a person changed is checked anew. A new number is inferred anew, except for what the table says about it. */
export function changeRow(row: Row, change: Partial<Row>): Row {
  const changed = { ...row, ...unread, ...change }
  if (change.scac !== undefined) return { ...changed, certainty: change.scac === '' ? 'asked' : null }
  if (change.number === undefined) return changed
  return { ...changed, isInferred: false, ...(row.certainty === null ? {} : { kind: null, scac: '' }) }
}

interface Inferred {
  readonly data: {
    readonly attributes: {
      readonly number_type: 'container' | 'bill_of_lading' | 'booking'
      readonly validation: { readonly is_valid: boolean | null; readonly reason: string | null }
      readonly shipping_line: {
        readonly decision: 'auto_select' | 'needs_confirmation' | 'no_prediction'
        readonly selected: { readonly scac: string } | null
        readonly candidates: Row['candidates']
      }
    }
  }
  readonly meta: { readonly suggested_number: string | null }
}

const atOnce = 4

/** Finds kind and line of the rows that lack them, and then checks all of them; gives each row as it comes. */
export async function readRows(
  connection: Connection,
  rows: readonly Row[],
  { onRow, signal }: { readonly onRow: (row: Row) => void; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = rows.filter(({ isReading }) => isReading)
  const inferred: Row[] = []
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      const isKnown = row.isInferred || (row.scac !== '' && row.kind !== null)
      const known = isKnown ? row : await inferRow(connection, row, signal)
      if (known.fault === '') inferred.push(known)
      onRow({ ...known, isReading: known.fault === '' })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (inferred.length > 0 && !signal.aborted)
    for (const row of await checkRows(connection, inferred)) onRow({ ...row, isReading: false })
}

async function inferRow(connection: Connection, row: Row, signal: AbortSignal): Promise<Row> {
  try {
    const body = { number: row.number }
    // safe: the path's description says that its answer has this shape
    const answer = (await connection.ask('POST', '/v2/tracking_requests/infer_number', body)) as Inferred
    return withInferred(row, answer)
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 0) return row
    if (error.retryAfterS === null) return { ...row, fault: error.message, ...suggestedBy(error.faults[0]) }
    await new Promise((resolve) => setTimeout(resolve, (error.retryAfterS ?? 1) * 1_000))
    return signal.aborted ? row : inferRow(connection, row, signal)
  }
}

const certainties = { auto_select: 'sure', needs_confirmation: 'likely', no_prediction: 'asked' } as const

function withInferred(row: Row, { data: { attributes }, meta }: Inferred): Row {
  const { number_type: type, validation, shipping_line: line } = attributes
  const isWrong = validation.is_valid === false
  const isKnown = type === 'container' || line.decision !== 'no_prediction' || row.scac !== ''
  const reason = sentence(validation.reason?.replace('Invalid check digit', words.badCheck) ?? '')
  const kind = type === 'booking' ? 'booking_number' : type
  return {
    ...row,
    kind: row.kind ?? (isKnown ? kind : null),
    scac: row.scac || (isWrong || line.decision !== 'auto_select' ? '' : (line.selected?.scac ?? '')),
    certainty: row.scac !== '' ? null : isWrong ? 'asked' : certainties[line.decision],
    candidates: line.candidates,
    isInferred: true,
    suggestion: meta.suggested_number,
    ...(isWrong ? { fault: reason || words.wrong } : { note: reason }),
  }
}

/** Whether the API would accept them. It says nothing against rows that it has no time to check. */
async function checkRows(connection: Connection, rows: readonly Row[]): Promise<readonly Row[]> {
  const body = { data: rows.map(requestOf), meta: { dry_run: true } }
  const answer = await connection.ask('POST', '/v2/tracking_requests/batch', body).catch(() => null)
  const items = (answer as { readonly meta: { readonly items: readonly Item[] } } | null)?.meta.items ?? []
  return rows.map((row, place) => {
    const error = items[place]?.errors[0]
    if (error === undefined) return row
    return { ...row, fault: error.detail, isTracked: error.code === 'duplicate', ...suggestedBy(error) }
  })
}

function suggestedBy(error: { readonly meta?: unknown } | undefined): Pick<Row, 'suggestion'> {
  const meta = error?.meta as { readonly suggested_number?: string } | undefined
  return { suggestion: meta?.suggested_number ?? null }
}

export function requestOf({ number, kind, scac, refs, tags }: Row): object {
  return {
    type: 'tracking_request',
    attributes: {
      request_number: number,
      ...(kind === null ? {} : { request_type: kind }),
      ...(scac === '' ? { auto_detect_vocc_scac: true } : { scac }),
      ref_numbers: refs,
      shipment_tags: tags,
    },
  }
}

/** The words of an outcome are counted in the sum, in this order. */
export const outcomes = ['tracked', 'later', 'unknown', 'unanswered', 'wrong', 'already', 'asking', 'queued'] as const
export type Outcome = (typeof outcomes)[number]

/** What became of a row, and why; null while it is not sent and nothing is known against it. */
export function outcomeOf(row: Row, item: Item | undefined): { readonly is: Outcome; readonly why: string } | null {
  if (row.sent === null) {
    if (row.isTracked) return { is: 'already', why: '' }
    return row.fault === '' ? null : { is: 'wrong', why: row.fault }
  }
  const [error] = item?.errors ?? []
  if (error !== undefined) return { is: error.code === 'duplicate' ? 'already' : 'wrong', why: error.detail }
  const request = item?.request
  if (request == null) return { is: 'queued', why: '' }
  switch (request.status) {
    case 'created':
    case 'tracking_stopped':
      return { is: 'tracked', why: '' }
    case 'awaiting_manifest':
      return { is: 'later', why: '' }
    case 'failed':
      return failedOutcome(request.failed_reason ?? '')
    default:
      return { is: 'asking', why: '' }
  }
}

const unknownReasons = ['not_found', 'scac_auto_detect_failed', 'data_unavailable', 'expired']

function failedOutcome(reason: string): { readonly is: Outcome; readonly why: string } {
  if (reason === 'duplicate') return { is: 'already', why: '' }
  const why = reasonWords(reason).map(sentence).join(' ').trim()
  if (unknownReasons.includes(reason)) return { is: 'unknown', why }
  return { is: reason === 'invalid_number' || reason === 'booking_cancelled' ? 'wrong' : 'unanswered', why }
}

function sentence(text: string): string {
  if (text === '') return ''
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`
}

/** It has its answer: nothing more is awaited for it on this page. */
export function isAnswered(item: Item | undefined): boolean {
  return item !== undefined && (item.status === 'refused' || (item.request?.status ?? 'pending') !== 'pending')
}
