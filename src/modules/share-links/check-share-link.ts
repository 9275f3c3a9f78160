/** The attributes of a share link, checked. A refusal names the attribute. */

import { parseOrigin } from '../access/web-origin.ts'
import { refusedAt } from '../errors.ts'

const dayMs = 86_400_000
const daysMax = 366
const originsMax = 20

const attributePointer = (name: string): string => `/data/attributes/${name}`

/** ISO 8601 UTC. */
export function checkExpiry(given: string, nowMs: number): string {
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i.test(given)
  const ms = isWhole ? Date.parse(given) : Number.NaN
  if (Number.isNaN(ms))
    throw refusedAt(
      attributePointer('expires_at'),
      'This must be an ISO 8601 date-time with a zone: 2026-07-01T00:00:00Z.',
    )
  if (ms <= nowMs)
    throw refusedAt(attributePointer('expires_at'), 'This time is in the past. To end the link, delete it.')
  if (ms > nowMs + daysMax * dayMs)
    throw refusedAt(attributePointer('expires_at'), 'A link is open for a year at most.')
  return new Date(ms).toISOString()
}

/** Null for none. */
export function checkCompanyName(given: string | null): string | null {
  return given?.trim().normalize('NFC') || null
}

export function checkColor(given: string | null): string | null {
  if (given === null) return null
  if (/^#[0-9a-f]{6}$/i.test(given)) return given.toLowerCase()
  throw refusedAt(attributePointer('color'), 'A colour is written as #1f6feb.')
}

export function checkOrigins(given: readonly string[]): readonly string[] {
  if (given.length > originsMax)
    throw refusedAt(attributePointer('allowed_origins'), `A link names at most ${originsMax} origins.`)
  const origins = given.map((each, place) => {
    const origin = parseOrigin(each)
    if (origin !== null) return origin
    const quoted = JSON.stringify(each.trim().slice(0, 80))
    throw refusedAt(
      attributePointer(`allowed_origins/${place}`),
      `${quoted} is no origin. One looks like https://www.example.com.`,
    )
  })
  return [...new Set(origins)]
}
