/** The ledger yields events that are no longer kept: a rebuild knows them, still finds what is wrong, and never writes them again. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { foldBy } from '../../src/service/ledger/fold.ts'
import { type RebuildReport, rebuild } from '../../src/service/ledger/rebuild.ts'
import { readRules } from '../../src/service/ledger/rules.ts'
import { listHistory } from '../../src/service/proving/explain/list-history.ts'
import { tidyEvents } from '../../src/service/telling/events/tidy-events.ts'
import { type BusyMonths, liveBusyMonths } from '../support/busy-months.ts'

describe('after months of events were dropped', () => {
  let months: BusyMonths
  let yielded = 0
  before(async () => {
    months = await liveBusyMonths({ journeys: 6, seed: 11 })
    const { service } = months.world
    yielded = (await rows('select from events')).length
    // Only the first month is old enough.
    const [second] = await rows('select opened_at as at from event_parts order by starts offset 1 limit 1')
    const days = Math.floor((months.world.clock.now() - Date.parse(String(second?.['at']))) / 86_400_000)
    const network = { ...service.config.network, eventsKeptDays: days }
    await tidyEvents({ ...service, config: { ...service.config, network } })
  })
  after(() => months.close())

  const check = (repair = false): Promise<RebuildReport> =>
    rebuild(months.world.service, foldBy(readRules(months.world.service.config)), {
      repair,
      differencesMax: 20,
      progress: () => {},
    })
  const rows = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await months.world.service.pool.query<Record<string, unknown>>(text)).rows

  test('the ledger folds to what is served, of real and of fictional accounts, and a repair writes no event again', async () => {
    const kept = (await rows('select from events')).length
    assert.ok(kept > 20 && kept < yielded - 50, `${kept} of ${yielded} are kept`)
    assert.equal((await rows('select from events_gone')).length, months.accounts.length)
    const seen = await rows('select * from events order by ordinal')
    assert.deepEqual((await check()).differences, [])
    assert.deepEqual((await check(true)).differences, [])
    assert.deepEqual(await rows('select * from events order by ordinal'), seen)
  })

  test('history shows the changes of then, with the events of which nothing is known any more', async () => {
    const [first] = months.accounts
    assert.ok(first)
    const [shipment] = await rows(
      `select id from shipments where account_id = '${first.account.id}' order by created_at, id limit 1`,
    )
    const history = await listHistory(months.world.service, first, {
      of: { type: 'shipment', id: String(shipment?.['id']) },
      page: { number: 1, size: 200 },
      show: (reading) => ({ ...reading }),
    })
    const events = history.rows.flatMap((row) => row.events)
    assert.ok(events.some(({ sequence }) => sequence === null))
  })

  test('what is missing, doubled or misnumbered among the kept is found', async () => {
    await rows('create table kept_events as select * from events')
    const one = `(select id from events order by ordinal desc limit 1)`
    for (const [fault, found] of [
      [`delete from events where id = ${one}`, ['accounts misnumbered', 'events missing']],
      [`update events set payload = payload || '{"x": 1}' where id = ${one}`, ['events different']],
      [`update events set sequence = sequence + 1000 where id = ${one}`, ['accounts misnumbered']],
    ] as const) {
      await rows(fault)
      const { differences } = await check()
      const kinds = new Set(differences.map(({ table, kind }) => `${table} ${kind}`))
      assert.deepEqual([...kinds].toSorted(), found)
      await rows('delete from events')
      await rows('insert into events overriding system value select * from kept_events')
    }
    assert.deepEqual((await check()).differences, [])
  })
})
