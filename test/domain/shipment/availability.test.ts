import assert from 'node:assert/strict'
import test from 'node:test'
import type { FactClaim } from '../../../src/domain/journey/trip.ts'
import { readAvailability } from '../../../src/domain/shipment/availability.ts'
import { nowhere } from '../../../src/domain/statements/observation.ts'
import type { Milestone } from '../../../src/domain/view/projection.ts'

const at = '2026-09-24T20:21:00.000Z'

function told(callKey: string, claimId: string, name: Milestone['name'] = 'available'): Milestone {
  return {
    kind: 'actual',
    name,
    callKey,
    time: { kind: 'instant', at },
    place: nowhere,
    vessel: null,
    voyage: null,
    source: 'terminal',
    claimId,
  }
}

const stated: FactClaim = {
  id: 'c1',
  source: { kind: 'terminal', code: 'SBXQ' },
  hand: 'first',
  readAt: at,
  recordedAt: at,
  standsAt: at,
  deliveryKey: null,
  retiredAt: null,
  observation: {
    kind: 'fact',
    fact: 'available',
    value: true,
    key: 'at|available|HLBU6852919',
    equipment: 'HLBU6852919',
    statedAt: null,
    isRetracted: false,
  },
}

function historyAfter(before: readonly Milestone[]): readonly string[] {
  const { milestones } = readAvailability({
    facts: [stated],
    steps: [],
    before,
    spotOf: () => ({ callKey: 'DEDUI#1', place: nowhere }),
    isOnward: true,
    isWaiting: true,
    fullOutAt: null,
  })
  return milestones.map(({ name, callKey, claimId }) => `${name} ${callKey} ${claimId}`)
}

test('the availability history replaces a place found by older rules with the place that the present rules find', () => {
  assert.deepEqual(historyAfter([told('?#1', 'c1'), told('NLRTM#1', 'c1')]), ['available DEDUI#1 c1'])
  assert.deepEqual(historyAfter([told('?#1', 'c1'), told('DEDUI#1', 'c1')]), ['available DEDUI#1 c1'])
})

test('correcting the place of one availability claim keeps the entries of other claims in the history', () => {
  const before = [told('NLRTM#1', 'c0'), told('NLRTM#1', 'c2', 'not_available')]
  assert.deepEqual(historyAfter(before), ['available NLRTM#1 c0', 'not_available NLRTM#1 c2', 'available DEDUI#1 c1'])
})
