/** Which accounts have ingested the messages of channels. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  findMessageRow,
  listChannelMessageRows,
} from '../../../src/modules/inbound-messages/list-inbound-messages-sql.ts'
import { findIngestedSnapshot } from '../../../src/modules/provenance/get-snapshot-sql.ts'
import { expireUnmatched, lockOldMentions } from '../../../src/pipeline/ingestion/expired-mentions-sql.ts'
import { enqueueMentions, leaseTasks } from '../../../src/pipeline/ingestion/ingest-tasks-sql.ts'
import { findWaitingMentions, recordIngestion } from '../../../src/pipeline/ingestion/listeners-sql.ts'
import { lockUnpacked } from '../../../src/pipeline/response-archive/snapshot-packs-sql.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { openTestDatabase, type TestDatabase } from '../../support/database.ts'
import { idOf, madeAt, makeAccount } from '../../support/state-rows.ts'
import { trackBox } from '../../support/tracked-box.ts'

const now = '2026-03-10T00:00:00.000Z'
const soon = '2026-03-10T01:00:00.000Z'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())
const pool = () => database.pool

const rows = async (text: string, values: readonly unknown[] = []) =>
  (await pool().query({ text, values: [...values] })).rows as readonly Record<string, unknown>[]

test('ingests a message of a channel once for each account that tracks it, and shows it to nobody else', async () => {
  const [one, two] = [await makeAccount(pool()), await makeAccount(pool())]
  const tracked = await trackBox(pool(), { accountId: one, bill: 'BILL20', box: 'BOX20' })
  await rows(
    `insert into shipment_documents (account_id, number, kind, shipment_id) values ($1, 'BILL20', 'bill_of_lading', $2)`,
    [one, tracked.shipmentId],
  )
  const channelId = idOf('channel')
  await rows(
    `insert into channels (id, name, scac, source, profile, is_fiction, created_at, is_asked, is_told)
     values ($1, 'line', 'ONEY', 'dcsa', '{}', false, $2, false, true)`,
    [channelId, madeAt],
  )
  const addMessage = async (which: string) => {
    const id = (of: string) => idOf(`${of} ${which}`)
    await rows(
      `insert into subjects (id, credential_id, scac, kind, number, created_at) values ($1, $2, 'ONEY', 'bill_of_lading', $3, $4)`,
      [id('told'), channelId, `BILL20 ${which}`, madeAt],
    )
    await rows(
      `insert into kept_snapshots (id, subject_id, content_hash, status, body, recorded_at) values ($1, $2, $3, 200, $3, $4)`,
      [id('snapshot'), id('told'), Buffer.from(which), madeAt],
    )
    await rows(
      `insert into inbound_messages (id, channel_id, content_hash, byte_count, received_at, parts, faults)
       values ($1, $2, $3, 1, $4, 1, '[]')`,
      [id('message'), channelId, Buffer.from(which), madeAt],
    )
    await rows(
      `insert into mentions (id, message_id, channel_id, subject_id, snapshot_id, part, delivery_key, stands_at, received_at,
                             about, ranges, is_unmapped, matched_at)
       values ($1, $2, $3, $4, $5, 0, $6, $7, $7, '[]', '[]', false, $7)`,
      [id('mention'), id('message'), channelId, id('told'), id('snapshot'), which, madeAt],
    )
    await rows(
      `insert into mention_numbers (kind, number, mention_id, received_at) values ('bill_of_lading', 'BILL20', $1, $2)`,
      [id('mention'), madeAt],
    )
    return {
      mentionId: id('mention'),
      snapshotId: id('snapshot'),
      subjectId: id('told'),
      messageId: id('message'),
    }
  }
  const first = await addMessage('first')
  const second = await addMessage('second')
  const { shipmentId } = tracked
  const waiting = async (accountId: string) =>
    (await findWaitingMentions(pool(), { accountId, id: shipmentId, kind: 'shipment' })).map(({ id }) => id)
  assert.deepEqual((await waiting(one)).toSorted(), [first.mentionId, second.mentionId].toSorted())
  assert.deepEqual(await waiting(two), [])
  assert.equal(await recordIngestion(pool(), { accountId: one, shipmentId, mentionId: first.mentionId, at: now }), true)
  assert.deepEqual(await waiting(one), [second.mentionId])

  const listeners = [{ accountId: one, trackingRequestId: tracked.boxRequestId, shipmentId }]
  for (const { mentionId, subjectId, snapshotId } of [first, second])
    await enqueueMentions(pool(), { mentionId, subjectId, snapshotId, listeners })
  const lease = { token: uuidV7(Date.now()), now, until: soon, after: null, max: 5 }
  const taken = await leaseTasks(pool(), lease)
  assert.deepEqual(
    taken?.tasks.map(({ payload }) => payload.mention),
    [second.mentionId],
    'the first was heard',
  )

  const statusOf = new Map(
    (await listChannelMessageRows(pool(), { channelId, status: null, limit: 5 })).map((row) => [row.id, row]),
  )
  assert.equal(statusOf.get(first.messageId)?.status, 'heard')
  assert.deepEqual(statusOf.get(first.messageId)?.parts[0]?.shipmentIds, [shipmentId])
  assert.equal(statusOf.get(second.messageId)?.status, 'waiting')
  assert.equal((await findMessageRow(pool(), second.messageId))?.status, 'waiting')

  const ingestedBy = (accountId: string, { snapshotId }: typeof first) =>
    findIngestedSnapshot(pool(), { accountId, id: snapshotId, bytesMax: 100 })
  assert.equal((await ingestedBy(one, first))?.id, first.snapshotId)
  assert.equal(await ingestedBy(one, second), null, 'nobody has heard it yet')
  assert.equal(await ingestedBy(two, first), null, 'the other account has not')
  const unpacked = await lockUnpacked(pool(), {
    subjectIds: [first.subjectId, second.subjectId],
    before: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  })
  assert.deepEqual(
    unpacked.map(({ id }) => id),
    [first.snapshotId],
    'what still waits is not packed',
  )
})

test('no account can ingest a message while its expiry holds the lock', async () => {
  const accountId = await makeAccount(pool())
  const { mentionId, channelId } = await makeMention()
  const expiring = await pool().connect()
  try {
    await expiring.query('begin')
    await lockOldMentions(expiring, { channelId, before: now, limit: 10 })
    const hearing = await pool().connect()
    try {
      await hearing.query(`begin; set local lock_timeout = '200ms'`)
      const shipmentId = idOf('shipment')
      await assert.rejects(recordIngestion(hearing, { accountId, shipmentId, mentionId, at: now }), {
        code: '55P03',
      })
      await hearing.query('rollback')
    } finally {
      hearing.release()
    }
    assert.deepEqual(await expireUnmatched(expiring, { ids: [mentionId], at: now }), [mentionId])
    await expiring.query('commit')
  } finally {
    expiring.release()
  }
})

async function makeMention(): Promise<{ readonly mentionId: string; readonly channelId: string }> {
  const [channelId, messageId, subjectId, mentionId] = ['c', 'm', 's', 'o'].map((of) => idOf(`expiring ${of}`)) as [
    string,
    string,
    string,
    string,
  ]
  await rows(
    `insert into channels (id, name, scac, source, profile, is_fiction, created_at, is_asked, is_told)
     values ($1, 'expiring', 'ONEY', 'dcsa', '{}', false, $2, false, true)`,
    [channelId, madeAt],
  )
  await rows(
    `insert into subjects (id, credential_id, scac, kind, number, created_at) values ($1, $2, 'ONEY', 'container', 'X', $3)`,
    [subjectId, channelId, madeAt],
  )
  await rows(
    `insert into inbound_messages (id, channel_id, content_hash, byte_count, received_at, parts, faults) values ($1, $2, 'x', 1, $3, 1, '[]')`,
    [messageId, channelId, madeAt],
  )
  await rows(
    `insert into mentions (id, message_id, channel_id, subject_id, part, delivery_key, stands_at, received_at, about, ranges, is_unmapped, matched_at)
     values ($1, $2, $3, $4, 0, 'k', $5, $5, '[]', '[]', false, $5)`,
    [mentionId, messageId, channelId, subjectId, madeAt],
  )
  return { mentionId, channelId }
}
