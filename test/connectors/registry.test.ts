import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findLineAccess } from '../../src/connectors/line-access.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import type { PollRequest } from '../../src/connectors/source.ts'
import { findSource, sourceNames } from '../../src/connectors/source-registry.ts'
import { box, callWith, equipmentEvent, factsOf, type Json, profile } from './dcsa/events.ts'

const noEgress = { request: () => Promise.reject(new Error('the network was asked')) }
const context = { egress: noEgress, now: () => Date.UTC(2026, 5, 1) }

async function track(number: string) {
  const source = findSource('test')
  assert.ok(source !== null)
  const request: PollRequest = { scac: 'TEST', kind: 'bill_of_lading', number }
  const result = await source.fetch(request, { profile: {}, secrets: {} }, context)
  assert.ok(result.kind === 'answered')
  return source.read(result.snapshot, request, {})
}

describe('The registry', () => {
  it('finds each source by its name and nothing else', () => {
    assert.deepEqual(
      sourceNames.map((name) => findSource(name)?.name),
      ['cosco', 'dcsa', 'test'],
    )
    for (const name of ['', 'constructor', 'edifact']) assert.equal(findSource(name), null)
  })

  it('sets a default quota for a source that bills each request and has none in its profile', () => {
    const polling = findPushedSource('facility')?.polling
    const terminal = { base: 'https://pier.example', path: '/{number}', isBilled: true }
    const line = { ...profile, isBilled: true }
    const supposed = { quota: { perDay: 100 }, isQuotaDefault: true }
    assert.partialDeepStrictEqual(findSource('dcsa')?.limitsOf(findLineAccess('CMDU')?.profile), supposed)
    assert.partialDeepStrictEqual(findSource('dcsa')?.limitsOf({ ...line, ceiling: {} }), supposed)
    assert.partialDeepStrictEqual(polling?.limitsOf(terminal), supposed)
    for (const quota of [{ perDay: 5_000 }, { perMonth: 2 }]) {
      assert.deepEqual(findSource('dcsa')?.limitsOf({ ...line, ceiling: quota })?.quota, quota)
      assert.deepEqual(polling?.limitsOf({ ...terminal, ceiling: quota }).quota, quota)
    }
    assert.deepEqual(findSource('dcsa')?.limitsOf(profile)?.quota, {})
  })

  it('reports an invalid stored profile, and then polls and reads nothing', async () => {
    const source = findSource('dcsa')
    const request: PollRequest = { scac: 'ACLU', kind: 'booking', number: 'ABC709951' }
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

describe('A placeholder', () => {
  const snapshotOf = (body: string) => ({
    status: 200,
    contentType: null,
    body: Buffer.from(body),
    fetchedAt: '2026-03-01T00:00:00.000Z',
  })
  const readLine = (changes: Json) => {
    const event = equipmentEvent({ ISOEquipmentCode: '45G1', seals: [{ sealNumber: 'ML7' }], ...changes })
    const request = { scac: 'ACLU', kind: 'container', number: box } as const
    const reading = findSource('dcsa')?.read(snapshotOf(JSON.stringify([event])), request, profile)
    assert.ok(reading !== undefined)
    const [stated] = reading.observations.filter(({ kind }) => kind === 'event')
    assert.ok(stated?.kind === 'event')
    return {
      facts: Object.keys(factsOf(reading)),
      said: stated,
      kinds: reading.issues.map(({ kind }) => kind),
    }
  }

  it('is not read as a size or seal, from any source, and an issue names it', () => {
    assert.deepEqual(readLine({}).facts, [`seal_number ${box}`, `size_type ${box}`])
    for (const ISOEquipmentCode of ['0000', 'XXXX', 'NULL'])
      assert.deepEqual(readLine({ ISOEquipmentCode }).facts, [`seal_number ${box}`], ISOEquipmentCode)
    for (const sealNumber of ['SI', 'N/A', '000000', 'SEALED', '-'])
      assert.deepEqual(readLine({ seals: [{ sealNumber }] }).facts, [`size_type ${box}`], sealNumber)
    assert.deepEqual(readLine({ ISOEquipmentCode: '0000' }).kinds, ['wrong_type'])
    const statement = { container: box, says: 'seal_number', value: 'SI' }
    const subject = { kind: 'container', number: box } as const
    const told = findPushedSource('statements')?.read(
      snapshotOf(JSON.stringify(statement)),
      { speaker: 'terminal', messageSubject: subject },
      {},
    )
    assert.deepEqual([told?.observations, told?.issues.map(({ kind }) => kind)], [[], ['wrong_type']])
  })

  it('is not read as a ship’s name or a voyage, and the IMO number is kept', () => {
    const call = (vessel: Json, importVoyageNumber: string) =>
      readLine({
        transportCall: callWith({ vessel, importVoyageNumber, exportVoyageNumber: importVoyageNumber }),
      }).said
    const named = call({ vesselIMONumber: '9321483', vesselName: 'TBN' }, '000')
    assert.deepEqual([named.vessel, named.voyage], [{ imo: '9321483', name: null }, null])
    const unnamed = call({ vesselName: 'To be advised' }, '0044N')
    assert.deepEqual([unnamed.vessel, unnamed.voyage], [null, '0044N'])
  })
})

describe('The test numbers', () => {
  it('TEST-TR-SUCCEEDED is a plain import of two containers, without a network and without an issue', async () => {
    const reading = await track('TEST-TR-SUCCEEDED')
    assert.equal(reading.outcome, 'found')
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
    assert.equal((await track('TEST-TR-FAILED')).outcome, 'not_found')
    assert.equal((await track('TEST-1')).outcome, 'not_found')
  })
})
