/** Gives a delivery to its readers as the API does: part by part, for each number that a part is about. */

import type { MentionedNumber, MessagePart, PartContext, PushedSource } from '../../src/connectors/pushed-source.ts'
import type { Reading } from '../../src/connectors/source.ts'
import { reconcileClaims } from '../../src/domain/statements/claims.ts'
import type { Observation } from '../../src/domain/statements/observation.ts'
import { canonicalJson } from '../../src/domain/values/json-value.ts'

export const fetchedAt = '2026-03-01T00:00:00.000Z'
export const line = { kind: 'shipping_line', code: 'ACLU' } as const

export function snapshotOf(body: Buffer, at = fetchedAt) {
  return { status: 200, contentType: 'application/json', body, fetchedAt: at }
}

export function bytesOf(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Each part for one number; if none is given, for the first that it is about. */
export function readParts<Profile>(
  source: PushedSource<Profile>,
  parts: readonly MessagePart[],
  profile: Profile,
  subject?: MentionedNumber | null,
  at = fetchedAt,
): readonly Reading[] {
  return parts.flatMap((part) => {
    const [first] = part.about
    const about = subject ?? first
    if (about === undefined) throw new Error('a part about nothing')
    const of: PartContext = { speaker: 'shipping_line', messageSubject: about }
    return [source.read(snapshotOf(part.body, at), of, profile)]
  })
}

/** The active claims after all of it was ingested: for each key the last statement. */
export function settled(readings: readonly Pick<Reading, 'observations'>[]): readonly Observation[] {
  const observations = readings.flatMap((reading) => reading.observations)
  const of = { source: line, isFullPicture: false, missingBefore: [] }
  return reconcileClaims([], observations, of).add.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

export function textOf(observation: Observation): string {
  return `${observation.key} ${observation.equipment} ${canonicalJson(observation)}`
}
