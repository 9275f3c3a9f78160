/**
 * Corrected merge rules update the stored shipments: once, in the background, announced as corrections, and a rebuild
 * proves it.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rulesVersion } from '../../../src/domain/view/projection-rules.ts'
import { listHistory } from '../../../src/modules/provenance/list-history.ts'
import { type Fold, foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { type RebuildReport, rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { repairHistory } from '../../../src/pipeline/ledger/repair-history.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { box, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const [bill, otherBill] = ['HLCUSHA2601AAAA1', 'HLCUSHA2601BBBB2']

describe('after the rules for combining sources were corrected', () => {
  test('corrects results that differ under the new rules once, and leaves equal results unchanged', async (t) => {
    const stage = await openStage(t)
    const [shipmentId, otherId] = await trackBoth(stage)
    const before = await stage.heard()
    await asOlderRulesLeftIt(stage, shipmentId)
    const discharged = await activeClaims(stage, shipmentId)

    await repairAll(stage)
    const corrections = ['container.transport.vessel_discharged', 'container.transport.corrected']
    assert.deepEqual((await stage.heard()).slice(before.length), corrections)
    const corrected = await activeClaims(stage, shipmentId)
    assert.equal(corrected.previous, discharged.id)
    assert.equal(new Date(corrected.at).toISOString(), '2026-01-23T19:00:00.000Z')
    assert.deepEqual(await takenOver(stage), [{ shipmentId, from: 1, to: rulesVersion }])
    assert.deepEqual(await stage.rows('select distinct rules from shipments'), [{ rules: rulesVersion }])

    const [walked] = await stage.rows(`select looked_at, changed, failed from mendings where kind = 'rules'`)
    assert.deepEqual(walked, { looked_at: 2, changed: 1, failed: 0 })
    await stage.rows('delete from mendings')
    await repairAll(stage)
    assert.equal((await stage.heard()).length, before.length + corrections.length, 'a second walk says nothing')
    assert.notEqual(otherId, shipmentId)

    const report = await check(stage)
    assert.deepEqual(report.differences, [])
    assert.equal(report.reprojectedShipments, 1)
    assert.ok(report.eventsOfOlderRules > 5, `${report.eventsOfOlderRules} events stand as they were heard`)
    assert.equal(report.waiting, 0)
  })

  test('the history shows that Landfall was corrected, and which rules served the earlier values', async (t) => {
    const stage = await openStage(t)
    const [shipmentId] = await trackBoth(stage)
    await asOlderRulesLeftIt(stage, shipmentId)
    await repairAll(stage)
    stage.clock.advance(60_000)
    const { rows } = await listHistory(stage.service, stage.account, {
      of: { type: 'shipment', id: shipmentId },
      page: { number: 1, size: 50 },
      show: (reading) => ({ ...reading }),
    })
    const [repaired, ...older] = rows
    assert.equal(repaired?.cause, 'reprojected')
    assert.match(
      repaired?.reason ?? '',
      new RegExp(`rules of Landfall were corrected \\(rules/1 to rules/${rulesVersion}\\)`),
    )
    assert.deepEqual(
      repaired?.events.map(({ name }) => name),
      ['container.transport.vessel_discharged', 'container.transport.corrected'],
    )
    assert.equal(repaired?.servedByRules, null)
    assert.ok(older.length > 0)
    assert.ok(older.every(({ servedByRules }) => servedByRules === 1))
  })

  test('a container that only the corrected rules show is absent from earlier history', async (t) => {
    const stage = await openStage(t)
    stage.carrier.answers({ json: journey(bill, 'discharged', [box, otherBox]) }, bill)
    const id = await stage.track(bill)
    await stage.drain()
    const { shipmentId } = await stage.request(id)
    assert.ok(shipmentId)
    await asOlderRulesLeftIt(stage, shipmentId)
    const otherId = `(select id from containers where number = '${otherBox}')`
    await stage.rows(`delete from events where container_id = ${otherId}`)
    await stage.rows(`delete from transport_events where container_id = ${otherId}`)
    await stage.rows(`delete from containers where number = '${otherBox}'`)
    await stage.rows(`update events set sequence = -ordinal`)
    await stage.rows(`update events e set sequence = n from (
                        select account_id, id, row_number() over (order by ordinal) as n from events) k
                       where k.account_id = e.account_id and k.id = e.id`)
    await stage.rows(`update event_counters set last_sequence = (select max(sequence) from events)`)
    await repairAll(stage)
    const history = await listHistory(stage.service, stage.account, {
      of: { type: 'shipment', id: shipmentId },
      page: { number: 1, size: 50 },
      show: (reading) => ({ ...reading }),
    })
    const [repaired] = history.rows
    assert.equal(repaired?.cause, 'reprojected')
    assert.ok(repaired?.events.some(({ name }) => name === 'container.created'))
    const report = await check(stage)
    assert.deepEqual(report.differences, [])
    assert.equal(report.reprojectedShipments, 1)
  })

  test('repairs a shipment before using a new answer about that shipment', async (t) => {
    const stage = await openStage(t)
    const [shipmentId] = await trackBoth(stage)
    await asOlderRulesLeftIt(stage, shipmentId)
    const before = await stage.heard()
    stage.carrier.answers({ json: journey(bill, 'out') }, bill)
    await stage.nextLook()
    assert.deepEqual((await stage.heard()).slice(before.length).slice(0, 3), [
      'container.transport.vessel_discharged',
      'container.transport.corrected',
      'container.transport.full_out',
    ])
    const kinds = await stage.rows<{ kind: string }>(
      `select kind from ledger where shipment_id = $1 order by position desc limit 2`,
      [shipmentId],
    )
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['look', 'reprojected'],
    )
    assert.deepEqual((await check(stage)).differences, [])
  })

  test('sends no events for repairs if the operator disables them', async (t) => {
    const stage = await openStage(t, { env: { LANDFALL_MENDED_HISTORY: 'quiet' } })
    const [shipmentId] = await trackBoth(stage)
    await asOlderRulesLeftIt(stage, shipmentId)
    const before = await stage.heard()
    const discharged = await activeClaims(stage, shipmentId)
    await repairAll(stage)
    assert.deepEqual(await stage.heard(), before)
    assert.equal((await activeClaims(stage, shipmentId)).previous, discharged.id)
    assert.deepEqual((await check(stage)).differences, [])
  })

  test('tracking that has ended stays ended, and its values are still corrected', async (t) => {
    const stage = await openStage(t)
    const [shipmentId] = await trackBoth(stage)
    stage.carrier.answers({ json: journey(bill, 'back') }, bill)
    await stage.nextLook()
    await asOlderRulesLeftIt(stage, shipmentId)
    const before = await stage.heard()
    await repairAll(stage)
    assert.deepEqual((await stage.heard()).slice(before.length), [
      'container.transport.vessel_discharged',
      'container.transport.corrected',
    ])
    const [shipment] = await stage.rows('select tracking_stopped_at is null as tracked from shipments where id = $1', [
      shipmentId,
    ])
    assert.deepEqual(shipment, { tracked: false })
    assert.deepEqual((await check(stage)).differences, [])
  })

  test('only one process repairs at a time, and the next process continues where the last one stopped', async (t) => {
    const stage = await openStage(t)
    const [shipmentId] = await trackBoth(stage)
    await asOlderRulesLeftIt(stage, shipmentId)
    const before = await stage.heard()
    const both = async (): Promise<number> => {
      const taken = await Promise.all([
        repairHistory(stage.service, fold(stage)),
        repairHistory(stage.service, fold(stage)),
      ])
      await Promise.all(taken.map((each) => each?.cooldown))
      return taken.filter((each) => each !== null).length
    }
    // A process that was killed while it had the lease.
    await both()
    await stage.rows(`update mendings set lease_token = gen_random_uuid(), leased_until = '2026-01-01'
                       where ended_at is null`)
    let rounds = 0
    while ((await both()) > 0 && rounds < 20) rounds += 1
    assert.ok(rounds < 20)
    assert.equal((await stage.heard()).length, before.length + 2)
    assert.equal((await takenOver(stage)).length, 1)
    const open = await stage.rows('select 1 from mendings where ended_at is null')
    assert.deepEqual(open, [])
  })

  test('an entry of a program of the earlier version marks its shipment for another repair', async (t) => {
    const stage = await openStage(t)
    const [shipmentId] = await trackBoth(stage)
    // What earlier code writes: an entry without a version of the rules.
    await stage.rows(
      `insert into ledger (account_id, kind, shipment_id, recorded_at, payload)
       select account_id, 'timer', id, updated_at, '{"of":"shipment"}' from shipments where id = $1`,
      [shipmentId],
    )
    assert.deepEqual(await stage.rows('select rules from shipments where id = $1', [shipmentId]), [{ rules: 1 }])
  })
})

async function repairAll(stage: Stage): Promise<void> {
  for (;;) {
    const repaired = await repairHistory(stage.service, fold(stage))
    if (repaired === null) return
    await repaired.cooldown
  }
}

async function trackBoth(stage: Stage): Promise<readonly [string, string]> {
  stage.carrier.answers({ json: journey(bill, 'discharged') }, bill)
  stage.carrier.answers({ json: journey(otherBill, 'sailed', [otherBox]) }, otherBill)
  const ids = [await stage.track(bill), await stage.track(otherBill)]
  await stage.drain()
  const [one, other] = await Promise.all(ids.map((id) => stage.request(id)))
  assert.ok(one?.shipmentId && other?.shipmentId)
  return [one.shipmentId, other.shipmentId]
}

/** All was folded by older rules, and those took the discharge of one shipment to be three hours earlier. */
async function asOlderRulesLeftIt(stage: Stage, shipmentId: string): Promise<void> {
  await stage.rows('update ledger set rules = null')
  await stage.rows('update shipments set rules = 1')
  await stage.rows('delete from mendings')
  const [was, is] = ['2026-01-23T19:00', '2026-01-23T16:00']
  const earlier = (column: string): string => `replace(${column}::text, '${was}', '${is}')::jsonb`
  await stage.rows(`update containers set projection = ${earlier('projection')} where shipment_id = $1`, [shipmentId])
  await stage.rows(
    `update transport_events set milestone = ${earlier('milestone')}, occurs_at = occurs_at - interval '3 hours'
      where shipment_id = $1 and event = 'container.transport.vessel_discharged'`,
    [shipmentId],
  )
}

async function activeClaims(
  stage: Stage,
  shipmentId: string,
): Promise<{ readonly id: string; readonly previous: string | null; readonly at: string }> {
  return stage.row(
    `select id, previous_version_id as previous, occurs_at as at from transport_events
      where shipment_id = $1 and event = 'container.transport.vessel_discharged' and invalidated_at is null`,
    [shipmentId],
  )
}

async function takenOver(stage: Stage): Promise<readonly unknown[]> {
  return stage.rows(`select shipment_id as "shipmentId", (payload ->> 'from')::integer as "from",
                            (payload ->> 'to')::integer as "to"
                       from ledger where kind = 'reprojected' order by position`)
}

function fold(stage: Stage): Fold {
  return foldBy(readRules(stage.service.config))
}

function check(stage: Stage): Promise<RebuildReport> {
  return rebuildProjections(stage.service, fold(stage), {
    repair: false,
    differencesMax: 20,
    progress: () => {},
  })
}
