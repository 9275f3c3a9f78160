/** The data of an account, together with the poll targets, polls and channels of all accounts. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertAccount } from '../../../src/modules/accounts/accounts-sql.ts'
import { bindAccount } from '../../../src/modules/channels/channel-accounts-sql.ts'
import { pickupClaims } from '../../../src/modules/containers/pickup-claims-sql.ts'
import {
  findPollableAccesses,
  insertPushOnlyRequest,
} from '../../../src/modules/tracking-requests/push-only-requests-sql.ts'
import { readAttempts } from '../../../src/modules/tracking-requests/tracking-attempts-sql.ts'
import { planRowsOf } from '../../../src/pipeline/polling/poll-plan-sql.ts'
import { hastenPolls } from '../../../src/pipeline/polling/poll-targets-sql.ts'
import { postponeContainerPolls } from '../../../src/pipeline/polling/postpone-container-polls-sql.ts'
import { findVesselsWithContainers } from '../../../src/pipeline/positions/vessels-with-containers-sql.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { idOf, madeAt, makeAccount } from '../../support/state-rows.ts'
import { trackBox } from '../../support/tracked-box.ts'

const now = '2026-03-10T00:00:00.000Z'
const soon = '2026-03-10T01:00:00.000Z'
const later = '2026-03-10T06:00:00.000Z'
const hourMs = 3_600_000

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())
const pool = () => database.pool

const rows = async (text: string, values: readonly unknown[] = []) =>
  (await pool().query({ text, values: [...values] })).rows as readonly Record<string, unknown>[]

const planned = async (id: string): Promise<unknown> =>
  (await pool().query(`select next_look_at as at from subjects where id = $1`, [id])).rows[0]?.at

test('postpones a container poll only if no account needs it and no transaction locks it', async () => {
  const [one, two] = [await makeAccount(pool()), await makeAccount(pool())]
  const { billId, boxId, shipmentId } = await trackBox(pool(), {
    accountId: one,
    bill: 'BILL10',
    box: 'BOX10',
  })
  await rows(`update subjects set kind = 'bill_of_lading', next_look_at = $2 where id = $1`, [billId, later])
  const due = () => rows(`update subjects set next_look_at = $2 where id = $1`, [boxId, soon])
  const putOff = () => postponeContainerPolls(pool(), { subjectId: billId, now, marginMs: hourMs })
  await due()
  assert.equal(await putOff(), 1)
  assert.equal(await planned(boxId), '2026-03-10T07:00:00.000Z')
  await due()
  const holder = await pool().connect()
  try {
    await holder.query('begin')
    await holder.query(`select from subjects where id = $1 for update`, [boxId])
    assert.equal(await putOff(), 0, 'somebody holds it')
    await holder.query('rollback')
  } finally {
    holder.release()
  }
  assert.equal((await planRowsOf(pool(), { subjectIds: [boxId], heldRequestIds: [] })).length, 1)
  const hastened = { accountId: two, shipmentId, now, gapMs: hourMs }
  assert.equal(await hastenPolls(pool(), hastened), 0, 'not the shipment of the other account')
  assert.equal(await hastenPolls(pool(), { ...hastened, accountId: one }), 2)
  assert.equal(await planned(boxId), now)
  await due()
  await rows(`update subjects set next_look_at = $2 where id = $1`, [billId, later])
  await trackBox(pool(), { accountId: two, bill: 'BILL10', box: 'BOX10', asksForBill: false })
  assert.equal(await putOff(), 0, 'the other account asks for the box alone')
})

test('finds ships with tracked containers of all accounts once each, and ships of sandbox accounts separately', async () => {
  const sandbox = uuidV7(Date.now())
  await insertAccount(pool(), { id: sandbox, companyName: 'Invented', isSandbox: true, createdAt: madeAt })
  for (const imo of ['9000002', '9000001', '9000002', '9000003'])
    await trackBox(pool(), { accountId: await makeAccount(pool()), bill: `B${imo}`, box: `C${imo}`, imo })
  await trackBox(pool(), { accountId: sandbox, bill: 'BF', box: 'CF', imo: '9000003' })
  await trackBox(pool(), { accountId: sandbox, bill: 'BG', box: 'CG', imo: '9000004' })
  assert.deepEqual(await findVesselsWithContainers(pool(), false), ['9000001', '9000002', '9000003'])
  assert.deepEqual(await findVesselsWithContainers(pool(), true), ['9000003', '9000004'])
})

test('finds a polled channel for waiting requests of its own account or of any', async () => {
  const [one, two] = [await makeAccount(pool()), await makeAccount(pool())]
  await rows(
    `insert into channels (id, account_id, scac, source, profile, is_fiction, created_at)
     values ($1, $2, 'MAEU', 'dcsa', '{}', false, $5), ($3, $4, 'MAEU', 'dcsa', '{}', false, $5)`,
    [idOf('asks one'), one, idOf('asks two'), two, madeAt],
  )
  const late = async () => (await findPollableAccesses(pool())).map(({ id }) => id)
  assert.deepEqual(await late(), [])
  await insertPushOnlyRequest(pool(), {
    accountId: two,
    id: idOf('told request'),
    scac: 'MAEU',
    isSandbox: false,
  })
  assert.deepEqual(await late(), [idOf('asks two')])
})

test('reads attempts and pick-up numbers only for the account that has them', async () => {
  const [one, two] = [await makeAccount(pool()), await makeAccount(pool())]
  const {
    boxId,
    shipmentId,
    boxRequestId: trackingRequestId,
  } = await trackBox(pool(), { accountId: one, bill: 'BILL30', box: 'BOX30' })
  await rows(
    `insert into looks (subject_id, id, started_at, ended_at, duration_ms, outcome, is_unchanged) values ($1, $2, $3, $3, 5, 'unchanged', true)`,
    [boxId, idOf('look'), now],
  )
  const page = { number: 1, size: 10 }
  const attempts = await readAttempts(pool(), { accountId: one, trackingRequestId, page })
  assert.deepEqual([attempts.total, attempts.rows.map(({ id }) => id)], [1, [idOf('look')]])
  assert.deepEqual(await readAttempts(pool(), { accountId: two, trackingRequestId, page }), {
    rows: [],
    total: 0,
  })

  const channelId = idOf('secrets')
  await rows(
    `insert into channels (id, name, scac, source, profile, is_fiction, created_at, is_asked, is_told)
     values ($1, 'terminal', 'ONEY', 'dcsa', '{}', false, $2, false, true)`,
    [channelId, madeAt],
  )
  await rows(`update subjects set credential_id = $2 where id = $1`, [boxId, channelId])
  await rows(
    `insert into claims (account_id, id, subject_id, shipment_id, source_kind, source_code, source_key, observation, reader, read_at, recorded_at)
     values ($1, $2, $3, $4, 'terminal', 'T', 'p', '{"kind": "fact", "fact": "pickup_number"}', 'r', $5, $5)`,
    [one, idOf('pickup'), boxId, shipmentId, madeAt],
  )
  const found = async (accountId: string) =>
    (await pickupClaims(pool(), { accountId, shipmentId, number: 'BOX30' })).map(({ id }) => id)
  assert.deepEqual(await found(one), [], 'the channel does not tell it to this account')
  await bindAccount(pool(), { accountId: one, channelId, at: now })
  assert.deepEqual(await found(one), [idOf('pickup')])
  assert.deepEqual(await found(two), [])
})
