/**
 * Reads messages that only say that there are new notices (`POST /arrival-notice-notifications`). The line must be
 * asked for the notices themselves.
 */

import { parseReferenceNumber } from '../../core/values/identifiers.ts'
import { isObject, type JsonObject } from '../../core/values/json-value.ts'
import { partsMax } from '../json-delivery.ts'
import type { Announced, SpokenOf } from '../told.ts'

/** Null for any other message. The numbers are empty when no readable document is named. */
export function findAnnounced(value: JsonObject, path: string): Announced | null {
  const list = memberOf(value, 'arrivalnoticenotifications')
  if (list === undefined) return null
  const detail = 'announces arrival notices without sending them: ask the line for them'
  const unasked = { kind: 'unsupported_message', page: 1, path, lost: 'event', detail } as const
  const each = Array.isArray(list) ? list.slice(0, partsMax) : []
  return { numbers: each.flatMap(billOf), unasked }
}

function billOf(notification: unknown): readonly SpokenOf[] {
  const said = isObject(notification) ? memberOf(notification, 'transportdocumentreference') : null
  const bill = typeof said === 'string' ? parseReferenceNumber(said) : null
  return bill?.ok === true ? [{ kind: 'bill_of_lading', number: bill.value }] : []
}

function memberOf(value: JsonObject, name: string): unknown {
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1]
}
