/**
 * The ETA beside the arrival, as it is served: with its claim, although the line no longer states it, and with the same
 * result in a rebuild.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldBy } from '../../src/service/ledger/fold.ts'
import { rebuild } from '../../src/service/ledger/rebuild.ts'
import { readRules } from '../../src/service/ledger/rules.ts'
import { explainValue } from '../../src/service/proving/explain/explain-value.ts'
import { event, journey, openStage } from './tracking-harness.ts'

const bill = 'HLCUSHA260100004'
const etaAt = '2026-01-21T20:00:00.000Z'

test('after the arrival the ETA has the claim that predicted it, and a rebuild gives the same', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true }, startAt: '2026-01-09T00:00:00Z' })
  const eta = event({
    told: 501,
    bill,
    code: 'ARRI',
    at: '2026-01-21T12:00:00-08:00',
    place: 'USLAX',
    classifier: 'EST',
  })
  stage.carrier.answers({ json: [...journey(bill, 'sailed'), eta] })
  const id = await stage.track(bill)
  await stage.drain()
  stage.clock.set(Date.parse('2026-01-24T00:00:00Z'))
  stage.carrier.answers({ json: journey(bill, 'discharged') })
  await stage.nextLook()
  await stage.nextLook()
  await stage.nextLook()
  const live = await stage.rows(
    `select 1 from claims where retired_at is null and observation ->> 'classifier' = 'EST'`,
  )
  assert.deepEqual(live, [], 'the line does not say it any more')
  const { shipmentId = null } = await stage.request(id)
  assert.ok(shipmentId !== null)
  const [served] = await stage.rows<{ eta: unknown; ata: unknown; first: unknown }>(
    `select projection #>> '{portOfDischarge,eta,at}' as eta, projection #>> '{portOfDischarge,ata,at}' as ata,
            projection #>> '{originalEta,at}' as first from shipments`,
  )
  assert.deepEqual(served, { eta: etaAt, ata: '2026-01-22T14:00:00.000Z', first: etaAt })
  for (const value of ['pod_eta_at', 'pod_eta']) {
    const of = { type: 'shipment', id: shipmentId } as const
    const [explained] = await explainValue(stage.service, stage.account, { of, value })
    assert.equal(explained?.said?.classifier, 'EST')
    assert.equal(explained?.said?.value, etaAt)
    assert.match(explained?.rule ?? '', /before the ship came/)
  }
  const { config } = stage.service
  const check = { repair: false, differencesMax: 5, progress: () => {} }
  const report = await rebuild(stage.service, foldBy(readRules(config)), check)
  assert.deepEqual(report.differences, [])
})
