/**
 * The transaction of a backup of a distributed database. Each node makes its own snapshot of its rows when it receives
 * the first statement. All snapshots must be of one moment, so writers wait until every node has begun.
 */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isErrorCode } from '../../platform/error-code.ts'

/** Shorter than `deadlock_timeout`: a writer is never ended because of a backup. */
const lockTimeout = '500ms'
const triesMax = 60

/** Leaves `client` in a transaction that reads on every node what was committed at one moment. */
export async function beginOnEveryNode(client: pg.Client, connection: string): Promise<void> {
  // Each connection to a node has a snapshot of its own: one for each node, and no other while the transaction lasts.
  await client.query(`set citus.max_adaptive_executor_pool_size = 1; set citus.multi_shard_modify_mode = 'sequential'`)
  const stopper = new pg.Client({ connectionString: connection, application_name: 'landfall backup' })
  stopper.on('error', () => {})
  await stopper.connect()
  try {
    await stopWriting(stopper)
    await client.query('begin isolation level repeatable read read only')
    // A query that is sent to every shard of a table, and so to every node.
    await client.query('select from shipments limit 1')
  } finally {
    await stopper.end()
  }
}

/** Returns when nobody writes to a divided or copied table, and nobody begins to until the connection ends. */
async function stopWriting(stopper: pg.Client): Promise<void> {
  const { rows } = await stopper.query<{ tables: string }>(
    `select string_agg(logicalrelid::text, ', ') as tables from pg_dist_partition`,
  )
  for (let tries = 1; ; tries += 1) {
    await stopper.query(`begin; set local lock_timeout = '${lockTimeout}'`)
    try {
      await stopper.query(`lock table ${rows[0]?.tables} in share mode`)
      return
    } catch (error) {
      await stopper.query('rollback')
      if (!isErrorCode(error, '55P03')) throw error
      if (tries === triesMax)
        throw new Error('Other transactions write all the time, so the nodes cannot begin together; try again later.', {
          cause: error,
        })
      await pause(100)
    }
  }
}
