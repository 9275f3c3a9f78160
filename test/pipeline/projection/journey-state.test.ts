/** A journey's state comes back from the database as it was saved, and what is not different is not written. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { findLastWrittenAt } from '../../../src/pipeline/ledger/state-rows.ts'
import type { EntryYield, JourneyState } from '../../../src/pipeline/projection/journey-state-sql.ts'
import { type LoadedState, loadStates } from '../../../src/pipeline/projection/load-states-sql.ts'
import { saveStates } from '../../../src/pipeline/projection/save-states-sql.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import * as made from '../../support/state-rows.ts'

const { byId, changedAt, madeAt } = made
const laterAt = '2026-03-03T00:00:00.000Z'
let database: TestDatabase

before(async () => {
  database = await openTestDatabase({ isServing: true })
})
after(() => database.close())

const load = (seeded: made.SeededState, db: Db = database.pool): Promise<LoadedState> =>
  loadStates(db, made.stateKeys(seeded.accountId, { requestIds: [seeded.requestId] }))

const save = (
  loaded: LoadedState,
  state: JourneyState,
  yields: readonly EntryYield[] = [],
  db: Db = database.pool,
): Promise<void> => saveStates(db, { before: loaded, after: state, yields })

function yielded(of: Partial<EntryYield>): EntryYield {
  return { at: changedAt, events: [], published: [], ended: [], ...of }
}

async function rowsOf(text: string, accountId: string): Promise<readonly Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>({ text, values: [accountId] })).rows
}

test('loads the state that was saved', async () => {
  const seeded = await made.seedState(database.pool)
  const loaded = await load(seeded)
  assert.deepEqual([...loaded.locked], [seeded.requestId])
  assert.deepEqual([...loaded.state.shipments.values()], [seeded.shipment])
  assert.equal(loaded.state.claimsByTarget.get(seeded.subjectId)?.size, 1)
  assert.equal(findLastWrittenAt(loaded.state, seeded.shipmentId), madeAt)
})

test('loads effective time, first-hand mark and message of a claim, and updates them from a later message', async () => {
  const seeded = await made.seedState(database.pool)
  const { accountId, subjectId } = seeded
  const stated = {
    subjectId,
    standsAt: '2026-02-20T06:00:00.000Z',
    hand: 'relayed',
    deliveryKey: 'm-1',
  } as const
  const relayed = made.claimRow(`told ${subjectId}`, stated)
  const withClaim = (state: JourneyState, claim: typeof relayed): JourneyState => ({
    ...state,
    claimsByTarget: new Map(state.claimsByTarget).set(
      subjectId,
      new Map(state.claimsByTarget.get(subjectId)).set(claim.id, claim),
    ),
  })
  const loaded = await load(seeded)
  await save(loaded, withClaim(loaded.state, relayed))
  const again = await load(seeded)
  assert.deepEqual(again.state.claimsByTarget.get(subjectId)?.get(relayed.id), relayed)
  const moved = { ...relayed, standsAt: '2026-02-21T06:00:00.000Z', deliveryKey: 'm-2' }
  await save(again, withClaim(again.state, moved))
  assert.deepEqual((await load(seeded)).state.claimsByTarget.get(subjectId)?.get(relayed.id), moved)
  const rows = await rowsOf('select stands_at, hand from claims where account_id = $1 order by hand', accountId)
  assert.deepEqual(rows.at(0), { stands_at: null, hand: 'first' }, 'what stands since it was recorded says nothing')
})

test('saving an unchanged journey state executes no SQL statement', async () => {
  const loaded = await load(await made.seedState(database.pool))
  const sent: string[] = []
  const db: Db = {
    query: (statement) => {
      sent.push(statement.name ?? statement.text)
      return database.pool.query(statement)
    },
  }
  await save(loaded, loaded.state, [yielded({})], db)
  await save(loaded, { ...loaded.state, shipments: new Map(loaded.state.shipments) }, [], db)
  assert.deepEqual(sent, [])
  const request = { ...made.getRequest(loaded, [...loaded.locked][0] ?? ''), updatedAt: changedAt }
  await save(loaded, made.withRequest(loaded.state, request), [], db)
  assert.deepEqual(sent, ['state_save'])
})

test('writes a changed shipment, container and request, and leaves columns that others set', async () => {
  const seeded = await made.seedState(database.pool)
  for (const table of ['shipments', 'containers', 'tracking_requests'])
    await database.pool.query({
      text: `update ${table} set last_changed_by = '{"id":"x"}' where account_id = $1`,
      values: [seeded.accountId],
    })
  const loaded = await load(seeded)
  const shipment = made.getShipment(loaded, seeded.shipmentId)
  const [first, second] = shipment.containers
  assert.ok(first !== undefined && second !== undefined)
  const moved = {
    ...second,
    projection: { ...second.projection, status: 'grounded' as const },
    updatedAt: changedAt,
  }
  const other = {
    ...shipment,
    row: {
      ...shipment.row,
      tags: ['urgent'],
      customerId: made.idOf('customer'),
      timerAt: laterAt,
      updatedAt: changedAt,
    },
    containers: [first, moved, made.containerRow(seeded.shipmentId, 'MSCU4000026')],
  }
  const request = {
    ...made.getRequest(loaded, seeded.requestId),
    status: 'tracking_stopped' as const,
    refNumbers: ['PO-1'],
    updatedAt: laterAt,
  }
  await save(loaded, made.withRequest(made.withShipment(loaded.state, other), request))
  const again = await load(seeded)
  assert.deepEqual(made.getShipment(again, seeded.shipmentId), other)
  assert.deepEqual(made.getRequest(again, seeded.requestId), request)
  assert.equal(findLastWrittenAt(again.state, seeded.shipmentId), laterAt)
  assert.deepEqual(
    await rowsOf(
      'select container_ids, container_statuses, last_changed_by from shipments where account_id = $1',
      seeded.accountId,
    ),
    [
      {
        container_ids: other.containers.map(({ id }) => id),
        container_statuses: ['on_ship', 'grounded', 'on_ship'],
        last_changed_by: { id: 'x' },
      },
    ],
  )
  const set = `select count(*) from containers where account_id = $1 and last_changed_by is not null and scac = 'ONEY'
               union all select count(*) from tracking_requests where account_id = $1 and last_changed_by is not null`
  assert.deepEqual(await rowsOf(set, seeded.accountId), [{ count: 2 }, { count: 1 }])
})

test('writes a shipment only once when the status of its containers changes', async () => {
  const seeded = await made.seedState(database.pool)
  const loaded = await load(seeded)
  const shipment = made.getShipment(loaded, seeded.shipmentId)
  const containers = shipment.containers.map((row) => ({
    ...row,
    projection: { ...row.projection, status: 'grounded' as const },
  }))
  // Also counts what the session has not yet reported for its earlier transactions; the difference belongs to this
  // transaction.
  const writes = `select pg_stat_get_xact_tuples_updated('shipments'::regclass) as writes`
  await inTransaction(database.pool, async (db) => {
    const before = await db.query<{ writes: number }>({ text: writes })
    await save(loaded, made.withShipment(loaded.state, { ...shipment, containers }), [], db)
    const then = await db.query<{ writes: number }>({ text: writes })
    assert.equal((then.rows[0]?.writes ?? 0) - (before.rows[0]?.writes ?? 0), 1)
  })
  assert.deepEqual(await rowsOf('select container_statuses from shipments where account_id = $1', seeded.accountId), [
    { container_statuses: ['grounded', 'grounded'] },
  ])
})

test('a claim that is retired and stated again keeps its first snapshot', async () => {
  const seeded = await made.seedState(database.pool)
  const { subjectId, accountId } = seeded
  const loaded = await load(seeded)
  const [claim] = loaded.state.claimsByTarget.get(subjectId)?.values() ?? []
  assert.ok(claim !== undefined)
  const goneSnapshotId = made.idOf('snapshot')
  const retired = { ...claim, retiredAt: changedAt, goneSnapshotId }
  await save(loaded, { ...loaded.state, claimsByTarget: new Map([[subjectId, byId(retired)]]) })
  const without = await load(seeded)
  assert.equal(without.state.claimsByTarget.get(subjectId)?.size, 0)
  const stated = {
    ...claim,
    observation: { ...claim.observation, key: 'otherwise' },
    firstSnapshotId: made.idOf('later snapshot'),
    recordedAt: laterAt,
    readAt: laterAt,
    missingSince: null,
    reader: 'dcsa/2',
  }
  await save(without, { ...without.state, claimsByTarget: new Map([[subjectId, byId(stated)]]) })
  const [storedClaim] = (await load(seeded)).state.claimsByTarget.get(subjectId)?.values() ?? []
  assert.deepEqual(storedClaim, { ...claim, recordedAt: laterAt, readAt: laterAt, reader: 'dcsa/2' })
  assert.deepEqual(
    await rowsOf('select source_key from claims where account_id = $1 and subject_id is not null', accountId),
    [{ source_key: claim.observation.key }],
  )
})

test('increases the count of a repeated issue and keeps the time of its first occurrence', async () => {
  const seeded = await made.seedState(database.pool)
  const loaded = await load(seeded)
  const count = (times: number, lastAt: string, detail: string): Promise<void> => {
    const issue = made.issueRow(seeded.accountId, {
      times,
      firstAt: lastAt,
      lastAt,
      detail,
      trackingRequestId: seeded.requestId,
    })
    return save(loaded, { ...loaded.state, issues: byId(issue) })
  }
  await count(1, madeAt, 'first')
  await count(3, changedAt, 'then')
  const storedClaim = 'select times, first_at, last_at, detail, tracking_request_id from issues where account_id = $1'
  assert.deepEqual(await rowsOf(storedClaim, seeded.accountId), [
    { times: 4, first_at: madeAt, last_at: changedAt, detail: 'then', tracking_request_id: seeded.requestId },
  ])
})

test('writes the results of several entries in their order', async () => {
  const seeded = await made.seedState(database.pool)
  const { accountId, shipmentId } = seeded
  const loaded = await load(seeded)
  const containerId = made.idOf('box')
  const announce = (name: string) => made.transportEventRow({ shipmentId, containerId, name })
  const [stood, passing, last] = [announce('stood'), announce('passing'), announce('last')]
  await save(loaded, loaded.state, [yielded({ at: madeAt, published: [stood] })])
  const event = (note: string) => made.domainEvent(note, shipmentId)
  await save(loaded, loaded.state, [
    yielded({ published: [passing], ended: [stood.id], events: [event('z'), event('a')] }),
    yielded({ at: laterAt, published: [last], ended: [passing.id], events: [event('m')] }),
  ])
  assert.deepEqual(
    await rowsOf(
      'select call_key, created_at, invalidated_at from transport_events where account_id = $1 order by created_at',
      accountId,
    ),
    [
      { call_key: 'stood', created_at: madeAt, invalidated_at: changedAt },
      { call_key: 'passing', created_at: changedAt, invalidated_at: laterAt },
      { call_key: 'last', created_at: laterAt, invalidated_at: null },
    ],
  )
  assert.deepEqual(
    await rowsOf('select payload, created_at from events where account_id = $1 order by ordinal', accountId),
    [
      { payload: { note: 'z' }, created_at: changedAt },
      { payload: { note: 'a' }, created_at: changedAt },
      { payload: { note: 'm' }, created_at: laterAt },
    ],
  )
  const standing = made.getShipment(await load(seeded), shipmentId).activeEvents
  assert.deepEqual(standing, [{ id: last.id, containerId, event: last.event, callKey: 'last' }])
})

test('a request that ends frees its number for another request in the same write', async () => {
  const seeded = await made.seedState(database.pool)
  const loaded = await load(seeded)
  const request = made.getRequest(loaded, seeded.requestId)
  for (const turn of ['first', 'second', 'third']) {
    const now = await load(seeded)
    const [held] = now.locked
    assert.equal(held, request.id)
    const live = { ...request, id: made.idOf(`${turn} ${request.id}`), number: turn }
    await save(now, made.withRequest(now.state, live))
    const both = await loadStates(
      database.pool,
      made.stateKeys(seeded.accountId, { requestIds: [request.id, live.id] }),
    )
    // The one that had the number stops; one on record takes it over, and a new one takes that one's.
    const stopped = { ...made.getRequest(both, live.id), status: 'tracking_stopped' as const }
    const moved = { ...made.getRequest(both, request.id), number: turn }
    const fresh = {
      ...request,
      id: made.idOf(`fresh ${turn} ${request.id}`),
      number: made.getRequest(both, request.id).number,
    }
    await save(both, made.withRequest(made.withRequest(made.withRequest(both.state, fresh), moved), stopped))
    const done = await load(seeded)
    assert.equal(made.getRequest(done, request.id).number, turn)
  }
})

test('treats a row that is missing from the state as an error, not a deletion', async () => {
  const seeded = await made.seedState(database.pool)
  const loaded = await load(seeded)
  const shipment = made.getShipment(loaded, seeded.shipmentId)
  const fewer = made.withShipment(loaded.state, { ...shipment, containers: shipment.containers.slice(1) })
  await assert.rejects(save(loaded, fewer), /the container .* was lost while folding/)
  await assert.rejects(save(loaded, { ...loaded.state, requests: new Map() }), /the request .* was lost/)
})

test('reads and writes temporary tables of the session instead of the served ones', async () => {
  const seeded = await made.seedState(database.pool)
  await inTransaction(database.pool, async (db) => {
    const tables = ['shipments', 'containers', 'tracking_requests', 'claims', 'issues', 'transport_events', 'events']
    for (const table of tables)
      await db.query({
        text: `create temporary table ${table} (like public.${table} including all) on commit drop`,
      })
    const empty = await load(seeded, db)
    assert.equal(empty.state.requests.size, 0)
    const shipment = made.shipmentState(
      { ...seeded.shipment.row, tags: ['own'] },
      { containers: seeded.shipment.containers },
    )
    await save(
      empty,
      made.withShipment(empty.state, shipment),
      [yielded({ events: [made.domainEvent('own', seeded.shipmentId)] })],
      db,
    )
    const own = await loadStates(db, made.stateKeys(seeded.accountId, { shipmentIds: [seeded.shipmentId] }))
    assert.deepEqual(made.getShipment(own, seeded.shipmentId).row.tags, ['own'])
    assert.equal(made.getShipment(own, seeded.shipmentId).containers.length, 2)
  })
  assert.deepEqual([...(await load(seeded)).state.shipments.values()], [seeded.shipment])
  assert.deepEqual(await rowsOf('select 1 from events where account_id = $1', seeded.accountId), [])
})
