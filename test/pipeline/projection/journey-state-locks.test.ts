/** What a load locks and finds, and who waits for whom. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import type { ShipmentKey } from '../../../src/pipeline/projection/journey-state-sql.ts'
import { loadStates, MoreLocksNeeded } from '../../../src/pipeline/projection/load-states-sql.ts'
import { saveStates } from '../../../src/pipeline/projection/save-states-sql.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import * as made from '../../support/state-rows.ts'

const { byId, changedAt } = made
let database: TestDatabase

before(async () => {
  database = await openTestDatabase({ isServing: true })
})
after(() => database.close())

function keyOf({ row }: made.SeededState['shipment']): ShipmentKey {
  return row
}

async function addRequests(
  accountId: string,
  rows: readonly Partial<Parameters<typeof made.requestRow>[0]>[],
): Promise<readonly string[]> {
  const requests = rows.map((row, place) => made.requestRow({ accountId, number: `N${place}`, ...row }))
  await saveStates(database.pool, {
    before: { state: made.emptyState(accountId), locked: new Set() },
    after: made.emptyState(accountId, { requests: byId(...requests) }),
    yields: [],
  })
  return requests.map(({ id }) => id)
}

/** Holds all locks that `work` takes until they are released. */
async function hold(work: (db: Db) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const done = inTransaction(database.pool, async (db) => {
    await work(db)
    held.resolve()
    await letGo.promise
  })
  await held.promise
  return async () => {
    letGo.resolve()
    await done
  }
}

/** Holds the request alone. */
function holdRequest(id: string): Promise<() => Promise<void>> {
  const text = 'select 1 from tracking_requests where id = $1 for update'
  return hold((db) => db.query({ text, values: [id] }))
}

/** Until somebody waits for a lock. */
async function whenWaiting(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await database.pool.query(waiting)).rowCount === 0) await new Promise((done) => setImmediate(done))
}

test('an account can neither load nor change the journey state of another account', async () => {
  const seeded = await made.seedState(database.pool)
  const other = await made.seedState(database.pool)
  const asked = made.stateKeys(other.accountId, {
    requestIds: [seeded.requestId],
    shipmentIds: [seeded.shipmentId],
    numbers: [{ scac: 'ONEY', requestType: 'container', number: 'NONE' }],
    locksAllRequests: true,
  })
  const { state, locked } = await loadStates(database.pool, asked, () => [keyOf(seeded.shipment)])
  assert.deepEqual([state.requests.size, state.shipments.size, state.claimsByTarget.size, locked.size], [0, 0, 0, 0])
  const loaded = await loadStates(database.pool, made.stateKeys(seeded.accountId, { requestIds: [seeded.requestId] }))
  const row = { ...made.getRequest(loaded, seeded.requestId), refNumbers: ['PO-9'] }
  const foreign = { ...loaded.state, accountId: other.accountId }
  await saveStates(database.pool, { before: loaded, after: made.withRequest(foreign, row), yields: [] })
  const { rows } = await database.pool.query({
    text: 'select 1 from tracking_requests where ref_numbers <> $1',
    values: [[]],
  })
  assert.deepEqual(rows, [])
})

test('loads no claims and no transport events if the caller does not project the journey', async () => {
  const { accountId, requestId, shipmentId, shipment } = await made.seedState(database.pool)
  const loaded = await loadStates(
    database.pool,
    made.stateKeys(accountId, { requestIds: [requestId], isProjected: false }),
  )
  assert.equal(loaded.state.claimsByTarget.size, 0)
  assert.deepEqual(made.getShipment(loaded, shipmentId), { ...shipment, claims: new Map() })
})

test('finds the active request of a number without locking it or loading its shipment', async () => {
  const { accountId, requestId } = await made.seedState(database.pool)
  const [alone] = await addRequests(accountId, [{ number: 'OTHER' }])
  assert.ok(alone !== undefined)
  const numbers = [{ scac: 'ONEY', requestType: 'container' as const, number: 'BILL1' }]
  const letGo = await hold((db) => loadStates(db, made.stateKeys(accountId, { requestIds: [requestId] })))
  const loaded = await loadStates(database.pool, made.stateKeys(accountId, { requestIds: [alone], numbers }))
  await letGo()
  assert.deepEqual(new Set(loaded.state.requests.keys()), new Set([alone, requestId]))
  assert.deepEqual([...loaded.locked], [alone])
  assert.equal(loaded.state.shipments.size, 0)
})

test('finds the shipment that a new request will join, by id or by number', async () => {
  const { accountId, shipmentId, shipment, subjectId, requestId } = await made.seedState(database.pool)
  const [unlinked] = await addRequests(accountId, [{ number: 'NEW', subjectId }])
  assert.ok(unlinked !== undefined)
  const open = (keys: readonly ShipmentKey[], ids = [unlinked]) =>
    loadStates(database.pool, made.stateKeys(accountId, { requestIds: ids }), (requests, subjects) => {
      assert.deepEqual(
        requests.map(({ id }) => id),
        [unlinked],
      )
      assert.equal(subjects.get(subjectId)?.size, 1)
      return keys
    })
  const key = keyOf(shipment)
  const elsewhere = { ...key, id: made.idOf('elsewhere') }
  const nowhere = { ...key, id: made.idOf('nowhere'), normalizedNumber: 'BILL2' }
  const byKey = await open([key])
  assert.deepEqual([[...byKey.state.shipments.keys()], byKey.state.absent], [[shipmentId], new Set()])
  assert.ok(byKey.state.requests.has(requestId) && !byKey.locked.has(requestId))
  const byNumber = await open([elsewhere, nowhere])
  assert.deepEqual([[...byNumber.state.shipments.keys()], byNumber.state.absent], [[shipmentId], new Set([nowhere.id])])
  await loadStates(database.pool, made.stateKeys(accountId, { requestIds: [requestId] }), () =>
    assert.fail('every request has its shipment'),
  )
})

test('locks all requests of a shipment if asked to, and fails if one is added meanwhile', async () => {
  const { accountId, requestId, shipmentId } = await made.seedState(database.pool)
  const [second] = await addRequests(accountId, [{ number: 'SECOND', shipmentId }])
  const all = made.stateKeys(accountId, { shipmentIds: [shipmentId], locksAllRequests: true })
  const both = await loadStates(database.pool, all)
  assert.deepEqual(both.locked, new Set([requestId, second]))
  const ofOne = { ...all, shipmentIds: [], requestIds: [requestId] }
  assert.deepEqual((await loadStates(database.pool, ofOne)).locked, both.locked)
  const letGo = await holdRequest(requestId)
  const waiting = loadStates(database.pool, all)
  const refused = assert.rejects(waiting, (error) => error instanceof MoreLocksNeeded && error.requestIds.length === 1)
  await whenWaiting()
  await addRequests(accountId, [{ number: 'THIRD', shipmentId }])
  await letGo()
  await refused
})

test('when two sessions create the same shipment, one fails and finds the existing shipment on retry', async () => {
  const { accountId } = await made.seedState(database.pool)
  const key: ShipmentKey = made.shipmentRow({ accountId, normalizedNumber: 'NEW' })
  const ids = await addRequests(accountId, [{ number: 'A' }, { number: 'B' }])
  const make = (id: string | undefined, meanwhile: () => Promise<void>): Promise<void> =>
    inTransaction(database.pool, async (db) => {
      const loaded = await loadStates(
        db,
        made.stateKeys(accountId, { requestIds: id === undefined ? [] : [id] }),
        () => [key],
      )
      assert.deepEqual(loaded.state.absent, new Set([key.id]))
      await meanwhile()
      const shipment = made.shipmentState(made.shipmentRow({ accountId, normalizedNumber: 'NEW' }))
      const request = { ...made.getRequest(loaded, id ?? ''), shipmentId: key.id }
      const state = made.withRequest(made.withShipment(loaded.state, shipment), request)
      await saveStates(db, { before: loaded, after: state, yields: [] })
    })
  const [first, second] = ids
  await assert.rejects(
    make(first, () => make(second, async () => {})),
    { code: '23505' },
  )
  const again = await loadStates(database.pool, made.stateKeys(accountId, { requestIds: [first ?? ''] }), () => [key])
  assert.deepEqual([...again.state.shipments.keys()], [key.id])
})

test('sets only the timer of other requests of the shipment, and skips one that is locked', async () => {
  const { accountId, requestId, shipmentId } = await made.seedState(database.pool)
  const siblings = await addRequests(accountId, [
    { number: 'HELD', shipmentId },
    { number: 'FREE', shipmentId },
  ])
  const [held, free] = siblings
  assert.ok(held !== undefined && free !== undefined)
  const letGo = await holdRequest(held)
  await inTransaction(database.pool, async (db) => {
    const loaded = await loadStates(db, made.stateKeys(accountId, { requestIds: [requestId] }))
    const ring = (id: string) => ({
      ...made.getRequest(loaded, id),
      timerAt: changedAt,
      refNumbers: ['PO-9'],
    })
    const state = siblings.reduce((each, id) => made.withRequest(each, ring(id)), loaded.state)
    await saveStates(db, { before: loaded, after: state, yields: [] })
  })
  await letGo()
  const { state } = await loadStates(database.pool, made.stateKeys(accountId, { requestIds: siblings }))
  const stored = siblings.map((id) => [state.requests.get(id)?.timerAt, state.requests.get(id)?.refNumbers])
  assert.deepEqual(stored, [
    [null, []],
    [changedAt, []],
  ])
})

test('eight at once load and save sets of 16 requests over 16 crossing shipments without a deadlock', async () => {
  const { accountId } = await made.seedState(database.pool)
  const shipments = Array.from({ length: 16 }, (_, place) =>
    made.shipmentState(made.shipmentRow({ accountId, normalizedNumber: `CROSS${place}` })),
  )
  const subjectId = await made.makeSubject(database.pool, `shared by ${accountId}`)
  const requests = Array.from({ length: 128 }, (_, place) =>
    made.requestRow({
      accountId,
      number: `X${place}`,
      subjectId,
      shipmentId: shipments[place % 16]?.row.id ?? null,
    }),
  )
  const empty = { state: made.emptyState(accountId), locked: new Set<string>() }
  const all = made.emptyState(accountId, {
    requests: byId(...requests),
    shipments: new Map(shipments.map((each) => [each.row.id, each])),
  })
  await saveStates(database.pool, { before: empty, after: all, yields: [] })
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = 0; turn < 6; turn += 1) {
      // Each set begins elsewhere, some backwards, and each touches all shipments and the claims under one poll target.
      const own = requests.filter((_, place) => Math.floor(place / 16) === worker).map(({ id }) => id)
      const requestIds = worker % 2 === 0 ? own : own.toReversed()
      await inTransaction(database.pool, async (db) => {
        const loaded = await loadStates(db, made.stateKeys(accountId, { requestIds }))
        assert.equal(loaded.state.shipments.size, 16)
        assert.equal(loaded.locked.size, 16)
        const tags = [`${worker} ${turn}`]
        const claims = Array.from({ length: 20 }, (_, place) =>
          made.claimRow(`${accountId} ${(place * 7 + worker) % 20}`, { subjectId, reader: `dcsa/${worker}` }),
        )
        const state = {
          ...loaded.state,
          claimsByTarget: new Map([[subjectId, byId(...claims)]]),
          shipments: new Map(
            [...loaded.state.shipments].map(([id, each]) => [
              id,
              { ...each, row: { ...each.row, tags: [...each.row.tags, ...tags] } },
            ]),
          ),
        }
        await saveStates(db, { before: loaded, after: state, yields: [] })
      })
    }
  })
  await Promise.all(workers)
  const { state } = await loadStates(
    database.pool,
    made.stateKeys(accountId, { shipmentIds: shipments.map(({ row }) => row.id) }),
  )
  for (const { row } of state.shipments.values()) assert.equal(row.tags.length, 48)
})
