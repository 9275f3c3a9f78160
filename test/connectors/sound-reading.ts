/** Laws of every reading, whatever was read: keys are unique, codes and numbers valid, no zone is invented. */

import assert from 'node:assert/strict'
import { answerOutcomes, type Reading } from '../../src/connectors/source.ts'
import { sourceIssueKinds } from '../../src/connectors/source-issue.ts'
import type { Observation } from '../../src/domain/statements/observation.ts'
import { eventClassifiers, eventCodes, isOneOf } from '../../src/domain/values/codes.ts'
import { isImoNumber, parseEquipmentReference } from '../../src/domain/values/identifiers.ts'
import { isTimeZone } from '../../src/domain/values/time-zone.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

export function assertSound(reading: Reading): void {
  assert.ok(answerOutcomes.includes(reading.outcome))
  const keys = reading.observations.map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length, 'keys are unique')
  for (const observation of reading.observations) assertSoundObservation(observation)
  for (const issue of reading.issues) {
    assert.ok(sourceIssueKinds.includes(issue.kind))
    assert.ok(issue.detail.length > 0 && issue.detail.length < 200, issue.detail)
    assert.match(issue.path, /^(\/[^/]*)*$/)
  }
  assert.ok(reading.issues.length <= 401)
  // What PostgreSQL can't keep as jsonb: NUL and broken surrogates.
  const text = JSON.stringify(reading)
  assert.ok(!/\\u0000|\\ud[89a-f]/i.test(text), 'no text that no database keeps')
}

/** The number of a container, whether or not its check digit is right, as it is stored. */
export function isNamedContainer(number: string): boolean {
  const parsed = parseEquipmentReference(number)
  return parsed.ok && parsed.value.number === number
}

function assertSoundObservation(observation: Observation): void {
  const { equipment, statedAt } = observation
  if (equipment !== null) assert.ok(isNamedContainer(equipment))
  if (statedAt !== null) assert.equal(statedAt, new Date(statedAt).toISOString())
  if (observation.kind === 'fact') return
  const { time, place, vessel, code, classifier } = observation
  assert.ok(isOneOf(eventClassifiers, classifier) && (code === null || isOneOf(eventCodes, code)))
  if (time.kind === 'instant') assert.equal(time.at, new Date(time.at).toISOString())
  // No zone is invented: it is that of the resolved place or none.
  const resolved = place.unlocode === null ? null : findPlaceByCode(place.unlocode)
  assert.equal(place.timeZone, resolved?.timeZone ?? null)
  assert.equal(place.unlocode, resolved?.unlocode ?? null)
  if (place.timeZone !== null) assert.ok(isTimeZone(place.timeZone))
  if (vessel !== null) {
    assert.ok(vessel.imo === null || isImoNumber(vessel.imo))
    assert.ok(vessel.imo !== null || vessel.name !== null)
  }
}
