/** Entries of the ledger are written many at a time, at positions that were reserved before. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  appendEntries,
  appendEntry,
  type LedgerEntry,
  readLedger,
  reservePositions,
} from '../../../src/pipeline/ledger/ledger-sql.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { idOf, madeAt, makeAccount } from '../../support/state-rows.ts'

let database: TestDatabase

before(async () => {
  database = await openTestDatabase({ isServing: true })
})
after(() => database.close())

test('writes entries at their reserved positions, and the next entry after them', async () => {
  const { pool } = database
  const accountId = await makeAccount(pool)
  const positions = await reservePositions(pool, 3)
  assert.equal(new Set(positions).size, 3)
  const entries = positions.map(
    (position): LedgerEntry => ({
      accountId,
      position,
      kind: 'look',
      trackingRequestId: idOf(`request ${position}`),
      shipmentId: null,
      subjectId: idOf('subject'),
      snapshotId: null,
      reader: 'dcsa/1',
      recordedAt: madeAt,
      payload: { outcome: 'unreachable' },
      rules: 2,
    }),
  )
  await appendEntries(pool, entries.toReversed())
  assert.deepEqual(await readLedger(pool, { accountId, after: 0, limit: 10 }), entries)
  const [first] = entries
  assert.ok(first?.kind === 'look')
  const next = await appendEntry(pool, first)
  assert.ok(positions.every((position) => position < next.position))
  await assert.rejects(appendEntries(pool, [first]), { code: '23505' })
  const other = { ...first, accountId: await makeAccount(pool) }
  await assert.rejects(appendEntries(pool, [first, other]), /two accounts/)
  await appendEntries(pool, [])
  assert.deepEqual(await reservePositions(pool, 0), [])
})
