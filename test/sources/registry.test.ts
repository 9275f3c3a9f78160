import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findLineAccess } from '../../src/sources/line-access.ts'
import { findSource, sourceNames } from '../../src/sources/registry.ts'
import type { LookRequest } from '../../src/sources/source.ts'
import { findToldSource } from '../../src/sources/told-registry.ts'
import { factsOf, profile } from './dcsa/events.ts'

const noEgress = { request: () => Promise.reject(new Error('the network was asked')) }
const context = { egress: noEgress, now: () => Date.UTC(2026, 5, 1) }

async function track(number: string) {
  const source = findSource('test')
  assert.ok(source !== null)
  const request: LookRequest = { scac: 'TEST', kind: 'bill_of_lading', number }
  const result = await source.fetch(request, { profile: {}, secrets: {} }, context)
  assert.ok(result.kind === 'answered')
  return source.read(result.snapshot, request, {})
}

describe('The registry', () => {
  it('knows each source by its name and nothing else', () => {
    assert.deepEqual(
      sourceNames.map((name) => findSource(name)?.name),
      ['cosco', 'dcsa', 'test'],
    )
    for (const name of ['', 'constructor', 'edifact']) assert.equal(findSource(name), null)
  })

  it('whoever takes money for each question is not asked without end, whatever its profile leaves out', () => {
    const asking = findToldSource('facility')?.asking
    const terminal = { base: 'https://pier.example', path: '/{number}', isBilled: true }
    const line = { ...profile, isBilled: true }
    const supposed = { ceiling: { perDay: 100 }, isCeilingSupposed: true }
    assert.partialDeepStrictEqual(findSource('dcsa')?.limitsOf(findLineAccess('CMDU')?.profile), supposed)
    assert.partialDeepStrictEqual(findSource('dcsa')?.limitsOf({ ...line, ceiling: {} }), supposed)
    assert.partialDeepStrictEqual(asking?.limitsOf(terminal), supposed)
    for (const ceiling of [{ perDay: 5_000 }, { perMonth: 2 }]) {
      assert.deepEqual(findSource('dcsa')?.limitsOf({ ...line, ceiling })?.ceiling, ceiling)
      assert.deepEqual(asking?.limitsOf({ ...terminal, ceiling }).ceiling, ceiling)
    }
    assert.deepEqual(findSource('dcsa')?.limitsOf(profile)?.ceiling, {})
  })

  it('a stored profile that is none makes no source throw: nothing is asked, nothing is read', async () => {
    const source = findSource('dcsa')
    const request: LookRequest = { scac: 'ACLU', kind: 'booking', number: 'ABC709951' }
    for (const bad of [null, {}, { ...profile, base: 7 }]) {
      const result = await source?.fetch(request, { profile: bad, secrets: {} }, context)
      assert.ok(result?.kind === 'unreachable' && result.reason === 'bad_profile')
      const snapshot = {
        status: 200,
        contentType: null,
        body: Buffer.from('[]'),
        fetchedAt: '2026-03-01T00:00:00.000Z',
      }
      const reading = source?.read(snapshot, request, bad)
      assert.deepEqual(
        reading?.issues.map(({ kind }) => kind),
        ['bad_profile'],
      )
      assert.equal(source?.limitsOf(bad), null)
    }
  })
})

describe('The test numbers', () => {
  it('TEST-TR-SUCCEEDED is a plain import of two containers, without a network and without an issue', async () => {
    const reading = await track('TEST-TR-SUCCEEDED')
    assert.equal(reading.verdict, 'found')
    assert.deepEqual(reading.issues, [])
    assert.deepEqual(reading.about, {
      billNumbers: [],
      bookingNumbers: ['TEST-BKG-1'],
      equipment: ['LDFU1000018', 'LDFU1000023'],
    })
    assert.equal(factsOf(reading)['size_type LDFU1000018'], '45G1')
    assert.equal(reading.observations.filter(({ kind }) => kind === 'event').length, 15)
  })

  it('TEST-TR-FAILED and any other number are not found', async () => {
    assert.equal((await track('TEST-TR-FAILED')).verdict, 'not_found')
    assert.equal((await track('TEST-1')).verdict, 'not_found')
  })
})
