/** A journey's state comes back from the database as it was saved, and what is not different is not written. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Db, inTransaction } from '../../src/store/database.ts'
import { floorOf, KeysGrew, type LoadedState, loadStates } from '../../src/store/journey-state/load.ts'
import { saveStates } from '../../src/store/journey-state/save.ts'
import type { JourneyState, ShipmentState, Yield } from '../../src/store/journey-state/state.ts'
import { appendEntries, type LedgerEntry, readLedger, reservePositions } from '../../src/store/ledger.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import * as made from '../support/state-rows.ts'

const { byId, changedAt, madeAt } = made
let database: TestDatabase
let accountId: string
let subjectId: string

before(async () => {
  database = await openTestDatabase({ isServing: true })
})
after(() => database.close())

/** Each test has an account of its own, with one shipment of two boxes that one request asks for. */
async function begin(): Promise<{ readonly shipment: ShipmentState; readonly requestId: string }> {
  accountId = await made.makeAccount(database.pool)
  subjectId = await made.makeSubject(database.pool, `MSCU${accountId}`)
  const row = made.shipmentRow({ accountId, normalizedNumber: 'BILL1' })
  const shipment = made.shipmentState(row, {
    containers: [made.containerRow(row.id, 'MSCU4000005'), made.containerRow(row.id, 'MSCU4000010')],
    claims: byId(made.claimRow(`user ${row.id}`, { shipmentId: row.id })),
  })
  const request = made.requestRow({ accountId, number: 'BILL1', shipmentId: row.id, subjectId })
  const state = made.emptyState(accountId, {
    requests: byId(request),
    shipments: new Map([[row.id, shipment]]),
    subjects: new Map([[subjectId, byId(made.claimRow(`line ${row.id}`, { subjectId }))]]),
  })
  await save({ state: made.emptyState(accountId), locked: new Set() }, state)
  return { shipment, requestId: request.id }
}

function save(
  loaded: LoadedState,
  state: JourneyState,
  yields: readonly Yield[] = [],
  db: Db = database.pool,
) {
  return saveStates(db, { before: loaded, after: state, yields })
}

function withShipment(state: JourneyState, shipment: ShipmentState): JourneyState {
  return { ...state, shipments: new Map(state.shipments).set(shipment.row.id, shipment) }
}

test('what was saved is loaded', async () => {
  const { shipment, requestId } = await begin()
  const loaded = await loadStates(database.pool, made.stateKeys(accountId, { requestIds: [requestId] }))
  assert.deepEqual([...loaded.locked], [requestId])
  assert.deepEqual([...loaded.state.shipments.values()], [shipment])
  assert.equal(loaded.state.subjects.get(subjectId)?.size, 1)
  assert.equal(floorOf(loaded.state, shipment.row.id), madeAt)
})
