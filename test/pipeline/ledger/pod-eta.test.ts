/**
 * The ETA beside the arrival, as it is served: with its claim, although the line no longer states it, and with the same
 * result in a rebuild.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeX12 } from '../../../sandbox/edi/x12.ts'
import { nowhere } from '../../../src/domain/statements/observation.ts'
import { explainValue } from '../../../src/modules/provenance/explain-value.ts'
import { matchMentions } from '../../../src/pipeline/ingestion/match-mentions.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { box, event, journey, openStage } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100004'
const etaAt = '2026-01-21T20:00:00.000Z'

test('a shipment still shows after the arrival which claim predicted its ETA, also after a rebuild', async (t) => {
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
    assert.equal(explained?.statement?.classifier, 'EST')
    assert.equal(explained?.statement?.value, etaAt)
    assert.match(explained?.rule ?? '', /before the ship came/)
  }
  const { config } = stage.service
  const check = { repair: false, differencesMax: 5, progress: () => {} }
  const report = await rebuildProjections(stage.service, foldBy(readRules(config)), check)
  assert.deepEqual(report.differences, [])
})

const orders = {
  'that was replaced': [
    [12, 21],
    [14, 23],
    [10, 21],
  ],
  'that is still active': [
    [12, 21],
    [14, 21],
    [10, 21],
  ],
} as const
for (const [which, messages] of Object.entries(orders))
  test(`dates an estimate ${which} from the message that stated it first, in any order of messages`, async (t) => {
    const stage = await openIntake(t)
    await stage.open({ source: 'x12', profile: { envelopeZone: 'UTC' } })
    stage.carrier.answers({ json: journey(bill, 'sailed') })
    await stage.track(bill)
    await stage.drain()
    const ofDay = (day: number) => `2026-01-${day}T20:00:00.000Z`
    const eta = (control: number, written: number, arrives: number): Buffer =>
      writeX12({
        words: 'line',
        box,
        bill,
        booking: null,
        writtenAt: ofDay(written),
        control,
        said: [
          {
            kind: 'event',
            equipment: box,
            classifier: 'EST',
            code: 'ARRI',
            load: null,
            mode: 'VESSEL',
            time: { kind: 'instant', at: ofDay(arrives) },
            place: { ...nowhere, unlocode: 'USLAX' },
            vessel: null,
            voyage: null,
          },
        ],
      }) ?? assert.fail()
    // One transaction folds all three, in this order.
    for (const [index, [written, arrives]] of messages.entries()) {
      await stage.send('hapag', eta(index + 1, written, arrives))
      await matchMentions(stage.service)
    }
    await stage.drain()
    const { first } = await stage.row<{ first: { time: { at: string }; writtenAt: string } }>(
      `select projection #> '{firstEstimates,1 ARRI VESSEL USLAX}' as first from shipments`,
    )
    assert.deepEqual([first.time.at, first.writtenAt], [ofDay(21), ofDay(10)])
    const check = { repair: false, differencesMax: 5, progress: () => {} }
    const fold = foldBy(readRules(stage.service.config))
    assert.deepEqual((await rebuildProjections(stage.service, fold, check)).differences, [])
  })
