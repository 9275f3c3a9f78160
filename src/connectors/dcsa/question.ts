/** How a carrier is polled: the URL of the first page and, from an answer's headers, of the next. */

import type { MentionedNumber } from '../pushed-source.ts'
import type { PollRequest } from '../source.ts'
import type { DcsaProfile } from './profile.ts'

/** Null when the carrier cannot be polled by this kind of number. */
export function writeQuestion(profile: DcsaProfile, request: PollRequest): URL | null {
  const parameter = profile.parameters[request.kind]
  if (parameter === null) return null
  const url = new URL(profile.base.replace(/\/$/, '') + profile.path)
  url.searchParams.set(parameter, stripCarrierPrefix(profile, request))
  for (const [name, values] of Object.entries(profile.extraParameters)) {
    if (profile.explode) for (const value of values) url.searchParams.append(name, value)
    else url.searchParams.set(name, values.join(','))
  }
  const since = profile.createdSince
  if (request.createdSince !== undefined && since !== null) {
    if (since.operatorIn === 'name') url.searchParams.set(`${since.parameter}:gte`, request.createdSince)
    else url.searchParams.set(since.parameter, `gte:${request.createdSince}`)
  }
  return url
}

/**
 * Removes a prefix of the carrier from bills and bookings. A container number stays complete: its letters are the owner
 * code.
 */
export function stripCarrierPrefix(
  profile: Pick<DcsaProfile, 'stripPrefixes'>,
  { kind, number }: MentionedNumber,
): string {
  if (kind === 'container') return number
  const prefix = profile.stripPrefixes.find((candidate) => number.startsWith(candidate))
  const remainder = prefix === undefined ? '' : number.slice(prefix.length)
  return /[0-9]/.test(remainder) ? remainder : number
}

/**
 * The next page that an answer names: a link (absolute, or relative to the page) or a cursor. A link to another host is
 * not followed and gives `elsewhere`: our access data would be sent there.
 */
export function findNextPage(
  profile: DcsaProfile,
  current: URL,
  headers: Readonly<Record<string, string>>,
): URL | 'elsewhere' | null {
  if (profile.paging === null) return null
  const headerValue = headers[profile.paging.header.toLowerCase()] ?? headers['next-page-cursor'] ?? ''
  const value = headerValue.trim().replace(/^<(.*)>$/, '$1')
  if (value === '' || value === 'null') return null
  if (!/^(https?:|\/|\?)/i.test(value)) {
    const next = new URL(current)
    next.searchParams.set(profile.paging.parameter, value)
    return next
  }
  const next = URL.parse(value, current.href)
  return next !== null && next.origin === current.origin ? next : 'elsewhere'
}
