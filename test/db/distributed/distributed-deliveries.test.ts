/** Deliveries on a database that is distributed by account, as in `distributed.test.ts`. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inTransaction, openPool } from '../../../src/db/database.ts'
import { inOrderOfAccounts } from '../../../src/db/distributed/acquire-per-account.ts'
import { findDueWebhooks, leaseNotifications } from '../../../src/pipeline/delivery/due-notifications-sql.ts'
import { readPayloads, storePayloads } from '../../../src/pipeline/delivery/payloads-sql.ts'
import { finishAttempts, releaseNextInLanes } from '../../../src/pipeline/delivery/webhook-attempts-sql.ts'
import { insertNotifications, lockWaitingLanes } from '../../../src/pipeline/delivery/webhook-notifications-sql.ts'
import { openDistributedDatabase } from '../../support/distributed.ts'

const coordinator = process.env['LANDFALL_TEST_CITUS_URL'] ?? ''
const isSkipped = coordinator === '' && 'LANDFALL_TEST_CITUS_URL names no coordinator of Citus'

test('webhook deliveries of accounts on two nodes are found, claimed, stored, ended and released', {
  skip: isSkipped,
}, async () => {
  const database = await openDistributedDatabase(coordinator)
  const pool = openPool({ connection: database.url, connectionsMax: 2 })
  try {
    const now = '2026-11-27T12:00:00.000Z'
    const webhooks = Array.from({ length: 8 }, () => ({ accountId: randomUUID(), webhookId: randomUUID() }))
    for (const { accountId, webhookId } of webhooks) {
      await pool.query(`insert into accounts (id, company_name, is_fiction, created_at) values ($1, 'x', false, $2)`, [
        accountId,
        now,
      ])
      await pool.query(
        `insert into webhooks (account_id, id, url, events, is_active, created_at, updated_at)
         values ($1, $2, 'https://example.test/', '{}', true, $3, $3)`,
        [accountId, webhookId, now],
      )
    }
    const made = webhooks.flatMap((webhook) => {
      const laneId = randomUUID()
      return [1, 2].map((sequence) => ({
        ...webhook,
        laneId,
        id: randomUUID(),
        eventId: randomUUID(),
        event: 'x',
        sequence,
        nextAttemptAt: sequence === 1 ? now : null,
      }))
    })
    for (const [accountId, own] of inOrderOfAccounts(made)) await insertNotifications(pool, accountId, own, now)
    const floor = '2026-01-01T00:00:00.000Z'
    const zero = '00000000-0000-0000-0000-000000000000'
    const from = { after: { accountId: zero, webhookId: zero }, now, floor }
    assert.deepEqual(
      (await findDueWebhooks(pool, from)).due.map(({ webhookId }) => webhookId).toSorted(),
      webhooks.map(({ webhookId }) => webhookId).toSorted(),
    )
    for (const { accountId, webhookId } of webhooks) {
      const token = randomUUID()
      const [taken, ...more] = await leaseNotifications(pool, {
        accountId,
        token,
        now,
        until: '2026-11-27T12:01:00.000Z',
        limit: 8,
        webhooks: [{ webhookId, underWay: 0 }],
        perWebhookMax: 8,
        perFailingWebhookMax: 2,
        floor,
      })
      assert.ok(taken && more.length === 0)
      const held = { ...taken, token }
      const payload = { accountId, eventId: taken.eventId, variant: 'any', body: Buffer.from('bytes') }
      assert.deepEqual(await storePayloads(pool, accountId, [payload], now), [payload.body])
      assert.deepEqual(await readPayloads(pool, accountId, [payload]), [payload.body])
      const log = { statusCode: 204, error: null, address: null, durationMs: 1, responseBody: null }
      await inTransaction(pool, async (db) => {
        assert.equal((await lockWaitingLanes(db, accountId, [taken])).length, 1)
        const logged = { ...log, id: randomUUID(), attempt: 1, createdAt: now, nextAttemptAt: null }
        const ended = { ...held, status: 'succeeded' as const, log: logged }
        assert.deepEqual(await finishAttempts(db, accountId, [ended]), [true])
        assert.deepEqual(await releaseNextInLanes(db, accountId, { lanes: [taken], now }), [webhookId])
      })
    }
    const { rows } = await pool.query(
      `select n.sequence, n.delivery_status as status, n.attempts,
              n.next_attempt_at is not null as "isDue", count(g.id)::int as logs, count(*)::int as of
         from webhook_notifications n
         left join webhook_notification_logs g on g.account_id = n.account_id and g.notification_id = n.id
        group by 1, 2, 3, 4 order by 1`,
    )
    assert.deepEqual(rows, [
      { sequence: 1, status: 'succeeded', attempts: 1, isDue: false, logs: 8, of: 8 },
      { sequence: 2, status: 'pending', attempts: 0, isDue: true, logs: 0, of: 8 },
    ])
  } finally {
    await pool.end()
    await database.close()
  }
})
