/**
 * `scac: TEST`: two numbers with a known result, in every installation and without a network. `TEST-TR-SUCCEEDED`
 * answers with a plain import of two containers. `TEST-TR-FAILED`, like any other number, is not found.
 */

import { testScac } from '../../domain/values/identifiers.ts'
import { ok } from '../../domain/values/result.ts'
import { openDcsaSource } from '../dcsa/dcsa-source.ts'
import { type DcsaProfile, standardProfile } from '../dcsa/profile.ts'
import type { Source } from '../source.ts'
import { buildPlainImportEvents } from './plain-import.ts'

const succeedingNumber = 'TEST-TR-SUCCEEDED'

const profile: DcsaProfile = { ...standardProfile, scac: testScac, base: 'https://test.invalid' }

/** Has no profile of its own: any stored profile is accepted. */
export function openTestSource(): Source<DcsaProfile> {
  const { version, read, abilityOf } = openDcsaSource()
  return {
    name: 'test',
    version,
    parseProfile: () => ok(profile),
    secretNames: () => [],
    limitsOf: () => null,
    abilityOf,
    async fetch({ number, firstRequestedAt: firstPolledAt }, _access, { now }) {
      const isKnown = number.toUpperCase() === succeedingNumber
      const answer = isKnown
        ? buildPlainImportEvents(firstPolledAt)
        : { statusCode: 404, errors: [{ reason: 'notFound', message: 'Unknown' }] }
      const snapshot = {
        status: isKnown ? 200 : 404,
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(answer)),
        fetchedAt: new Date(now()).toISOString(),
      }
      return {
        kind: 'answered',
        snapshot,
        durationMs: 0,
        retryAfterMs: null,
        url: `${profile.base}/v2/events`,
      }
    },
    read,
  }
}
