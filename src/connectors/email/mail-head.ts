/** The data of the header of an e-mail: author, time, topic, and whether a program wrote it as an answer. */

import type { AddressObject, EmailAddress, HeaderLines, Headers } from 'mailparser'
import { cutText } from './cut-text.ts'
import { loopField } from './loop-field.ts'
import { type AutomaticMailKind, type MailHead, mailBounds } from './mail.ts'

export function readHead(headers: Headers, lines: HeaderLines): MailHead {
  const from = addressesIn(headers.get('from'))
  // A second field above a signed one would be read instead of it, though the signature is still valid.
  const isPlain = onceOnly.every((name) => lines.filter(({ key }) => key === name).length < 2)
  const [author] = from
  const contentType = mediaTypeOf(headers.get('content-type'))
  return {
    subject: cutText(textOf(headers.get('subject')), mailBounds.subjectCharacters),
    from,
    to: addressesIn(headers.get('to')),
    cc: addressesIn(headers.get('cc')),
    messageId: textOrNull(headers.get('message-id')),
    inReplyTo: textOrNull(headers.get('in-reply-to')),
    references: textsOf(headers.get('references')),
    contentType,
    sentAt: readDate(lines),
    author: isPlain && from.length === 1 && author !== undefined ? author : null,
    echo: classifyAutomaticMail(headers, lines, contentType),
  }
}

const onceOnly = ['from', 'content-type', 'content-transfer-encoding'] as const

function classifyAutomaticMail(
  headers: Headers,
  lines: HeaderLines,
  contentType: string | null,
): AutomaticMailKind | null {
  if (lines.some(({ key }) => key === loopField.toLowerCase())) return 'sent_by_landfall'
  if (contentType === 'multipart/report') return 'delivery_report'
  // RFC 3834, 5. A mail that is generated without a request, such as a carrier's arrival notice, is not an answer.
  return /^auto-replied\b/i.test(textOf(headers.get('auto-submitted'))) ? 'automatic_reply' : null
}

function textOf(value: unknown): string {
  const [first] = Array.isArray(value) ? value : [value]
  return typeof first === 'string' ? cleanText(first) : ''
}

function textOrNull(value: unknown): string | null {
  const text = textOf(value)
  return text === '' ? null : text.slice(0, 1_000)
}

function textsOf(value: unknown): readonly string[] {
  const each = Array.isArray(value) ? value : [value]
  return each.flatMap((one) => (typeof one === 'string' ? [cleanText(one).slice(0, 1_000)] : [])).slice(0, 100)
}

/** PostgreSQL cannot store NUL, and none of these characters is visible. */
function cleanText(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim()
}

function mediaTypeOf(value: unknown): string | null {
  const isStructured = typeof value === 'object' && value !== null && 'value' in value
  return isStructured && typeof value.value === 'string' ? cleanText(value.value).toLowerCase() || null : null
}

function addressesIn(value: unknown): readonly string[] {
  const objects = (Array.isArray(value) ? value : [value]) as readonly (AddressObject | undefined)[]
  const found = objects.flatMap((each) => each?.value ?? []).flatMap(bareAddresses)
  return [...new Set(found)].slice(0, mailBounds.addresses)
}

function bareAddresses({ address, group }: EmailAddress): readonly string[] {
  if (group !== undefined) return group.flatMap(bareAddresses)
  const bare = cleanText(address ?? '')
  return bare === '' ? [] : [bare.slice(0, 320)]
}

/** Null without a zone: none is invented. The package would use the present time for a date that it cannot read. */
function readDate(lines: HeaderLines): string | null {
  const line = lines.find(({ key }) => key === 'date')?.line ?? ''
  const text = line
    .slice(line.indexOf(':') + 1)
    .replace(/\([^)]*\)/g, '')
    .trim()
  if (!/([+-]\d{4}|\b(UTC?|GMT|[ECMP][SD]T)|Z)$/i.test(text)) return null
  const date = new Date(text)
  const isUsable = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 10_000
  return isUsable ? date.toISOString() : null
}
