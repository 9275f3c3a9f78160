/** What is true of every reading, whatever was read: keys are unique, codes and numbers valid, no zone is invented. */

import assert from 'node:assert/strict'
import type { Observation } from '../../src/core/statements/observation.ts'
import { eventClassifiers, eventCodes, isOneOf } from '../../src/core/values/codes.ts'
import { isContainerNumber, isImoNumber } from '../../src/core/values/identifiers.ts'
import { isTimeZone } from '../../src/core/values/time-zone.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { type Reading, verdicts } from '../../src/sources/source.ts'
import { sourceIssueKinds } from '../../src/sources/source-issue.ts'

export function assertSound(reading: Reading): void {
  assert.ok(verdicts.includes(reading.verdict))
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

function assertSoundObservation(observation: Observation): void {
  const { equipment, statedAt } = observation
  if (equipment !== null) assert.ok(isContainerNumber(equipment))
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
