/** A kind of source that the trust table does not list for a fact or event is never believed for it, even alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findBelievedFact } from '../../../src/domain/journey/facts.ts'
import type { FactClaim } from '../../../src/domain/journey/trip.ts'
import { containerVerdicts } from '../../../src/domain/provenance/explain-container.ts'
import { readClaims } from '../../../src/domain/shipment/read-claims.ts'
import { factNames } from '../../../src/domain/statements/facts.ts'
import { type Claim, type Source, sourceKinds } from '../../../src/domain/statements/observation.ts'
import { eventTrust, factTrust } from '../../../src/domain/statements/trust.ts'
import { eventCodes, isOneOf, shipmentEventCodes, transportModes } from '../../../src/domain/values/codes.ts'
import { claimsOf, onlyBox, projectText } from '../../support/told-in-text.ts'
import { events, facts } from './observation-arbitraries.ts'

const at = '2026-02-01T00:00:00.000Z'
function claimOf(kind: Source['kind'], observation: Claim['observation']): Claim {
  const by = { readAt: at, recordedAt: at, standsAt: at, hand: 'first', deliveryKey: null } as const
  return { id: 'c1', source: { kind, code: 'X' }, observation, ...by, retiredAt: null }
}

const kinds = fc.constantFrom(...sourceKinds)

test('a fact from one source is believed exactly if the trust table lists the kind of source', () => {
  const met = new Set<string>()
  fc.assert(
    fc.property(facts, kinds, (observation, kind) => {
      const claim = claimOf(kind, observation) as FactClaim
      const isListed = factTrust[observation.fact].includes(kind)
      met.add(`${observation.fact} ${kind}`)
      assert.equal(findBelievedFact(observation.fact, [claim]) !== null, isListed)
    }),
    { numRuns: 20_000 },
  )
  assert.deepEqual(
    factNames.flatMap((name) => sourceKinds.map((kind) => `${name} ${kind}`).filter((each) => !met.has(each))),
    [],
  )
})

test('an event from one source is believed exactly if the trust table lists the kind of source', () => {
  const [anyEvent] = fc.sample(events, 1)
  assert.ok(anyEvent !== undefined)
  const time = { kind: 'instant', at: '2026-01-06T14:30:00.000Z' } as const
  for (const code of eventCodes) {
    if (isOneOf(shipmentEventCodes, code)) continue
    for (const mode of transportModes)
      for (const kind of sourceKinds) {
        const event = { ...anyEvent, classifier: 'ACT', code, mode, time, isRetracted: false } as const
        const { byContainer: byBox, underBill, issues } = readClaims([claimOf(kind, event)], at)
        const said = [underBill, ...byBox.values()].flatMap(({ statements }) => statements)
        const isListed = eventTrust({ code, mode }).includes(kind)
        assert.equal(said.length, isListed ? 1 : 0, `${code} ${mode} ${kind}`)
        assert.deepEqual(
          issues.map((issue) => issue.kind),
          isListed ? [] : ['unlisted_source'],
        )
      }
  }
})

test('a user is believed for facts only, ranked after every other kind of source except documents', () => {
  for (const name of factNames) {
    const others = factTrust[name].filter((kind) => kind !== 'document')
    assert.deepEqual(factTrust[name].slice(0, others.length), others, name)
    const place = others.indexOf('user')
    if (place >= 0 && name !== 'delivered') assert.equal(place, others.length - 1, name)
  }
  for (const code of eventCodes) assert.ok(!eventTrust({ code, mode: null }).includes('user'), code)
})

const landed = 'ACT DISC LADEN USLAX 2026-01-24T02:00Z terminal:Y258'

test('uses the statement of a user only while no other source states the fact', () => {
  const stated = `${landed}\nFACT weight_kg 9000 user:u1`
  assert.equal(onlyBox(projectText(stated)).weightKg, 9000)
  const overruled = `${stated} stated=2026-02-01T00:00Z\nFACT weight_kg 18250 carrier:HLCU stated=2026-01-02T00:00Z`
  assert.equal(onlyBox(projectText(overruled)).weightKg, 18250)
})

test('lists a source that is not believed among the rejected claims, with the reason', () => {
  const [claim] = claimsOf('FACT delivered 2026-02-09T10:00-08:00 terminal:Y258') as readonly FactClaim[]
  assert.ok(claim !== undefined)
  const verdict = containerVerdicts['delivered_at']?.({ facts: [claim] } as never)
  assert.deepEqual(verdict?.losers, [{ claim, why: 'a source of this kind is not believed for this: terminal' }])
})

test('a statement from the source itself wins over a later relayed one of the same kind of source', () => {
  const passedOn = `FACT yard_location B2 terminal:W1 stated=2026-01-26T00:00Z relayed`
  const itself = `FACT yard_location A1 terminal:W2 stated=2026-01-25T00:00Z`
  assert.equal(onlyBox(projectText(`${landed}\n${passedOn}`)).yardLocation, 'B2')
  assert.equal(onlyBox(projectText(`${landed}\n${passedOn}\n${itself}`)).yardLocation, 'A1')
  const train = 'ACT GTOT LADEN USLAX 2026-01-27T10:00Z'
  const gates = `${landed}\n${train} terminal:W1 relayed stated=2026-01-28T00:00Z\nACT GTOT LADEN USLAX 2026-01-27T12:00Z terminal:W2 stated=2026-01-27T12:00Z`
  const out = onlyBox(projectText(gates)).milestones.find(({ name }) => name === 'full_out')
  assert.deepEqual(out?.time, { kind: 'instant', at: '2026-01-27T12:00:00.000Z' })
})
