/**
 * Reads messages that only announce new notices (`POST /arrival-notice-notifications`). The carrier must be polled for
 * the notices themselves.
 */

import { parseReferenceNumber } from '../../domain/values/identifiers.ts'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import { type MentionedNumber, messagePartsMax, type UpdateNotice } from '../pushed-source.ts'

/** Null for any other message. The numbers are empty when no readable document is named. */
export function readNoticeNotification(value: JsonObject, path: string): UpdateNotice | null {
  const list = memberOf(value, 'arrivalnoticenotifications')
  if (list === undefined) return null
  const detail = 'announces arrival notices without sending them: ask the line for them'
  const notPolledIssue = { kind: 'unsupported_message', page: 1, path, lost: 'event', detail } as const
  const each = Array.isArray(list) ? list.slice(0, messagePartsMax) : []
  return { numbers: each.flatMap(billOf), notPolledIssue }
}

function billOf(notification: unknown): readonly MentionedNumber[] {
  const rawNumber = isObject(notification) ? memberOf(notification, 'transportdocumentreference') : null
  const bill = typeof rawNumber === 'string' ? parseReferenceNumber(rawNumber) : null
  return bill?.ok === true ? [{ kind: 'bill_of_lading', number: bill.value }] : []
}

function memberOf(value: JsonObject, name: string): unknown {
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
}
