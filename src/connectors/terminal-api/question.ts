/** Writes a request about containers by the profile, and a version for logs without secrets and numbers. */

import type { Secrets } from '../dcsa/token.ts'
import type { NumberToPoll } from '../pushed-source.ts'
import type { FacilityPollProfile } from './poll-profile.ts'

export interface FacilityPollRequest {
  readonly url: URL
  /** The address without secrets and numbers. */
  readonly redactedUrl: string
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** Null when the numbers belong to several facilities, or are not containers. */
export function buildFacilityPollRequest(
  profile: FacilityPollProfile,
  numbers: readonly NumberToPoll[],
  {
    secrets,
    inboundUrl,
    nowMs,
  }: { readonly secrets: Secrets; readonly inboundUrl: string | null; readonly nowMs: number },
): FacilityPollRequest | null {
  const [first] = numbers
  const facility = first?.facility ?? null
  const isOne = numbers.every((each) => each.kind === 'container' && (each.facility ?? null) === facility)
  if (first === undefined || !isOne) return null
  const sentNumbers = numbers.map(({ number }) => (profile.hasCheckDigit ? number : number.slice(0, 10)))
  const fill = (text: string, each: string | null, write: (replacement: string) => string): string =>
    text.replace(placePattern, (whole, place: string) => {
      const replacement = resolvePlaceholder(place, {
        sentNumbers,
        each: each ?? sentNumbers[0] ?? '',
        facility,
        inboundUrl,
        secrets,
        nowMs,
        ...profile,
      })
      return replacement === null ? whole : write(replacement)
    })
  const { base, path, query, auth } = profile
  const inPath = (replacement: string) => encodeURIComponent(replacement).replaceAll('%2C', ',')
  const url = new URL(base.replace(/\/$/, '') + fill(path, null, inPath))
  for (const [name, value] of Object.entries(query))
    setParameter(
      url,
      name,
      fill(value, null, (replacement) => replacement),
    )
  for (const [name, secret] of Object.entries(auth.keyQuery ?? {})) url.searchParams.set(name, secrets[secret] ?? '')
  const filled = profile.body === null ? null : fillPlaceholders(profile.body, sentNumbers, fill)
  const body = filled === null || typeof filled === 'string' ? filled : JSON.stringify(filled)
  const headers = Object.fromEntries(
    Object.entries(profile.headers).map(([name, value]) => [name, fill(value, null, (replacement) => replacement)]),
  )
  return { url, redactedUrl: base + path, body, headers }
}

/** A parameter with an empty value is left out: `{facility}` is empty for a facility without a code of its own. */
function setParameter(url: URL, name: string, value: string): void {
  if (value !== '') url.searchParams.set(name, value)
}

const placePattern = /\{([A-Za-z_:][A-Za-z0-9_:]*)\}/g

interface PlaceholderValues {
  readonly sentNumbers: readonly string[]
  readonly each: string
  readonly facility: string | null
  readonly inboundUrl: string | null
  readonly secrets: Secrets
  readonly separator: string
  readonly nowMs: number
}

function resolvePlaceholder(
  place: string,
  { sentNumbers, each, facility, inboundUrl, secrets, separator, nowMs }: PlaceholderValues,
): string | null {
  switch (place) {
    case 'number':
      return each
    case 'numbers':
      return sentNumbers.join(separator)
    case 'letters':
      return each.slice(0, 4)
    case 'serial':
      return each.slice(4)
    case 'facility':
      return facility ?? ''
    case 'inbound':
      return inboundUrl ?? ''
    case 'date':
      return new Date(nowMs).toUTCString()
    case 'epochMs':
      return String(nowMs)
    default:
      return place.startsWith('secret:') ? (secrets[place.slice(7)] ?? '') : null
  }
}

type FillText = (text: string, each: string | null, write: (replacement: string) => string) => string

/** A list whose only element contains a number gets one element for each number. */
function fillPlaceholders(
  value: unknown,
  sentNumbers: readonly string[],
  fill: FillText,
  each: string | null = null,
): unknown {
  if (typeof value === 'string') return fill(value, each, (replacement) => replacement)
  if (Array.isArray(value)) {
    const isForEach = value.length === 1 && /\{(number|letters|serial)\}/.test(JSON.stringify(value))
    if (isForEach) return sentNumbers.map((number) => fillPlaceholders(value[0], sentNumbers, fill, number))
    return value.map((element) => fillPlaceholders(element, sentNumbers, fill, each))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fillPlaceholders(member, sentNumbers, fill, each)]),
  )
}
