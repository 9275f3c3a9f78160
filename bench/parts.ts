/**
 * Tables that are partitioned by time: what a delivery costs beside sixty months of notifications, how long a month takes
 * to go, and what the standing transport events of shipments would cost if they had months too.
 */

import type { Pool } from '../src/db/database.ts'
import { addDays } from '../src/domain/values/time.ts'
import type { Context } from '../src/modules/access/context.ts'
import { readNotifications } from '../src/modules/webhooks/list-notifications-sql.ts'
import { readDeliveryFloor } from '../src/pipeline/delivery/delivery-floor-sql.ts'
import { findDueWebhooks, leaseNotifications } from '../src/pipeline/delivery/due-notifications-sql.ts'
import { finishAttempts } from '../src/pipeline/delivery/webhook-attempts-sql.ts'
import { insertNotifications } from '../src/pipeline/delivery/webhook-notifications-sql.ts'
import { dropPartitions, ensurePartition } from '../src/pipeline/jobs/partitions.ts'
import { realClock } from '../src/platform/clock.ts'
import { namedUuidV7, uuidV7 } from '../src/platform/ids.ts'
import { type Installation, openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'

const months = 60
const rowsOfMonth = 2_000
const rowsAtOnce = 20_000
const rounds = 9
const atOnce = 10
const piecesOfRound = 40
const zero = '00000000-0000-0000-0000-000000000000'

interface Side {
  readonly installation: Installation
  readonly context: Context
  readonly webhookId: string
}

export async function benchParts(): Promise<readonly Figure[]> {
  progress(`parts: ${months} months of ${rowsOfMonth} notifications, and the same in one table`)
  const [parted, plain] = [await open(months), await open(0)]
  const { postgres } = parted.installation
  try {
    const figures = [
      await delivering(parted, plain),
      await finding(parted, plain),
      await going(parted),
      await standing(parted.installation.service.pool),
    ]
    return figures.map((figure) => ({ bench: 'parts', ...figure, postgres }))
  } finally {
    await parted.installation.close()
    await plain.installation.close()
  }
}

type Measured = Omit<Figure, 'bench' | 'postgres'>

/** Without months, all rows are in the default partition: a single table. */
async function open(partsMade: number): Promise<Side> {
  const installation = await openInstallation()
  const context = await installation.newAccount()
  const { pool } = installation.service
  const webhookId = uuidV7(realClock.now())
  await pool.query(
    `insert into webhooks (account_id, id, url, events, is_active, created_at, updated_at)
     values ($1, $2, 'http://127.0.0.1/', '{}', true, now(), now())`,
    [context.account.id, webhookId],
  )
  const today = new Date(realClock.now()).toISOString()
  for (let ago = partsMade; ago > 0; ago -= 1)
    await ensurePartition(installation.service, 'webhook_notifications', addDays(today, -30 * ago).slice(0, 10))
  if (partsMade > 0)
    for (const ahead of [0, 32])
      await ensurePartition(installation.service, 'webhook_notifications', addDays(today, ahead).slice(0, 10))
  for (let from = 0; from < months * rowsOfMonth; from += rowsAtOnce)
    await pool.query(
      `with made as (
       select gen_random_uuid() as id, n, now() - n * interval '30 days' / $4::float8 as at
         from generate_series($5::int, $5::int + $3::int - 1) n
     ), told as (
       insert into events (account_id, id, sequence, name, reference_type, reference_id, payload, created_at)
       select $1, id, n, 'container.created', 'container', id, '{}', at from made
     )
     insert into webhook_notifications
       (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1, overlay(gen_random_uuid()::text placing
              substr(t, 1, 8) || '-' || substr(t, 9, 4) || '-7' from 1 for 15)::uuid,
            $2, id, 'container.created', n, id, 'succeeded', 1, to_timestamp(ms / 1000.0)
       from made
      cross join lateral (select floor(extract(epoch from at) * 1000)::bigint as ms) m
      cross join lateral (select lpad(to_hex(ms), 12, '0') as t) x`,
      [context.account.id, webhookId, rowsAtOnce, rowsOfMonth, from + 1],
    )
  await pool.query('vacuum analyze')
  return { installation, context, webhookId }
}

/** Deliveries a second as far as the database goes: made, taken, recorded, ten in a statement. */
async function delivering(parted: Side, plain: Side): Promise<Measured> {
  const sides = await alternate(rounds, {
    ours: () => deliverRound(parted),
    limit: () => deliverRound(plain),
  })
  return {
    what: `Deliveries made, taken and recorded beside ${months} months of notifications`,
    unit: 'deliveries/s',
    figure: median(sides.ours),
    limit: { what: 'with the same rows in one table', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at least 0.7 of one table',
    isMet: medianRatio(sides) >= 0.7,
    note: `${rounds} rounds of ${piecesOfRound} times ${atOnce} in turn, ${spread(sides.ours)}; ${(months * rowsOfMonth).toLocaleString('en-US')} rows`,
  }
}

async function deliverRound({ installation, context, webhookId }: Side): Promise<number> {
  const { pool } = installation.service
  const accountId = context.account.id
  const startedMs = performance.now()
  for (let piece = 0; piece < piecesOfRound; piece += 1) {
    const now = new Date(realClock.now()).toISOString()
    const made = Array.from({ length: atOnce }, () => {
      const eventId = uuidV7(realClock.now())
      const id = namedUuidV7(Date.parse(now), eventId)
      const first = { event: 'x', sequence: 1, nextAttemptAt: now }
      return { webhookId, id, eventId, laneId: eventId, ...first }
    })
    await insertNotifications(pool, accountId, made, now)
    const token = uuidV7(realClock.now())
    const floor = await readFloor(pool, now)
    await findDueWebhooks(pool, { after: { accountId: zero, webhookId: zero }, now, floor })
    const taken = await leaseNotifications(pool, {
      accountId,
      token,
      now,
      until: addDays(now, 1),
      limit: atOnce,
      webhooks: [{ webhookId, underWay: 0 }],
      perWebhookMax: atOnce,
      perFailingWebhookMax: atOnce,
      floor,
    })
    const log = { statusCode: 200, error: null, address: null, durationMs: 1, responseBody: null }
    const ended = taken.map(({ id, laneId, madeAt }) => ({
      id,
      webhookId,
      laneId,
      madeAt,
      token,
      status: 'succeeded' as const,
      log: { ...log, id: uuidV7(realClock.now()), attempt: 1, createdAt: now, nextAttemptAt: null },
    }))
    const held = await finishAttempts(pool, accountId, ended)
    if (held.filter(Boolean).length !== atOnce) throw new Error('a delivery was not recorded')
  }
  return (piecesOfRound * atOnce * 1_000) / (performance.now() - startedMs)
}

/** As the worker's job sets it: a day before now. */
async function readFloor(pool: Pool, now: string): Promise<string> {
  await pool.query(`update delivery_floor set oldest_at = $1 where oldest_at < $1`, [addDays(now, -1)])
  return readDeliveryFloor(pool)
}

async function finding(parted: Side, plain: Side): Promise<Measured> {
  const round = async ({ installation, context }: Side): Promise<number> => {
    const { pool } = installation.service
    const { rows } = await pool.query<{ id: string }>(
      `select id from webhook_notifications where account_id = $1 order by random() limit 200`,
      [context.account.id],
    )
    const startedMs = performance.now()
    for (const { id } of rows) await readNotifications(pool, { accountId: context.account.id, ids: [id] })
    return (rows.length * 1_000) / (performance.now() - startedMs)
  }
  const sides = await alternate(rounds, { ours: () => round(parted), limit: () => round(plain) })
  return {
    what: `Notifications read by their ids, of ${months} months`,
    unit: 'reads/s',
    figure: median(sides.ours),
    limit: { what: 'with the same rows in one table', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at least 0.3 of one table',
    isMet: medianRatio(sides) >= 0.3,
    note: `${rounds} rounds of 200 in turn, ${spread(sides.ours)}`,
  }
}

/** A month of 200,000 goes while others write and read. */
async function going({ installation, context, webhookId }: Side): Promise<Measured> {
  const { service } = installation
  const { pool } = service
  const oldest = addDays(new Date(realClock.now()).toISOString(), -30 * months).slice(0, 8)
  const rows = 200_000
  for (let from = 0; from < rows; from += rowsAtOnce)
    await pool.query(
      `insert into webhook_notifications
       (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'x', n, gen_random_uuid(), 'succeeded', 1,
            $3::timestamptz + n * interval '10 seconds'
       from generate_series($4::int, $4::int + ${rowsAtOnce - 1}) n`,
      [context.account.id, webhookId, `${oldest}01T00:00:00Z`, from],
    )
  let isOver = false
  const waited: number[] = []
  const load = async (): Promise<void> => {
    while (!isOver) {
      const startedMs = performance.now()
      await deliverOnce({ installation, context, webhookId })
      waited.push(performance.now() - startedMs)
    }
  }
  const loads = [load()]
  const startedMs = performance.now()
  const before = `${addDays(`${oldest}28`, 5).slice(0, 8)}01T00:00:00Z`
  const dropped = await dropPartitions(service, { table: 'webhook_notifications', before })
  const tookMs = performance.now() - startedMs
  isOver = true
  await Promise.all(loads)
  if (dropped.length === 0) throw new Error('no month was dropped')
  return {
    what: `A month of ${rows.toLocaleString('en-US')} notifications dropped beside deliveries`,
    unit: 'ms',
    figure: tookMs,
    limit: null,
    ratio: null,
    aim: 'less than 1,000 ms',
    isMet: tookMs < 1_000,
    note: `${waited.length} times a delivery was made, taken and recorded meanwhile, the slowest in ${Math.round(Math.max(...waited))} ms`,
  }
}

async function deliverOnce({ installation, context, webhookId }: Side): Promise<void> {
  const { pool } = installation.service
  const now = new Date(realClock.now()).toISOString()
  const eventId = uuidV7(realClock.now())
  const id = namedUuidV7(Date.parse(now), eventId)
  const one = {
    webhookId,
    id,
    eventId,
    laneId: eventId,
    event: 'x',
    sequence: 1,
  }
  await insertNotifications(pool, context.account.id, [{ ...one, nextAttemptAt: null }], now)
  await pool.query(
    `update webhook_notifications set delivery_status = 'succeeded' where account_id = $1 and id = $2 and created_at = $3`,
    [context.account.id, id, now],
  )
}

/** Read as a fold reads them: all of a shipment, which were written within two months. */
async function standing(pool: Pool): Promise<Measured> {
  const shipments = 20_000
  await pool.query(`create table one_table (like transport_events including all);
    create table by_month (like transport_events including defaults) partition by range (created_at);
    create index on by_month (account_id, shipment_id);
    create unique index on by_month (account_id, id, created_at)`)
  for (let month = 0; month <= months; month += 1)
    await pool.query(
      `create table by_month_${month} partition of by_month for values from ('${monthFrom(month)}') to ('${monthFrom(month + 1)}')`,
    )
  for (let from = 1; from <= shipments; from += 1_000)
    await pool.query(`with made as (
        insert into one_table (account_id, id, shipment_id, container_id, event, data_source, created_at)
        select md5('a')::uuid, gen_random_uuid(), md5(n::text)::uuid, md5(n::text)::uuid, 'x', 'y',
               '2021-01-01'::timestamptz + (n % 59 + random() * 2) * interval '30 days'
          from generate_series(${from}, ${from + 999}) n, generate_series(1, 30)
        returning *
      ) insert into by_month select * from made`)
  await pool.query('vacuum analyze')
  const round = async (table: string): Promise<number> => {
    const startedMs = performance.now()
    for (let each = 1; each <= 200; each += 1)
      await pool.query({
        name: `standing_${table}`,
        text: `select * from ${table} where account_id = md5('a')::uuid and shipment_id = md5($1)::uuid`,
        values: [String(each * 97)],
      })
    return 200_000 / (performance.now() - startedMs)
  }
  const sides = await alternate(rounds, { ours: () => round('one_table'), limit: () => round('by_month') })
  return {
    what: 'Shipments whose transport events are read, from one table',
    unit: 'shipments/s',
    figure: median(sides.ours),
    limit: { what: `if they were in ${months} months`, value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'more than from months',
    isMet: medianRatio(sides) > 1,
    note: `${rounds} rounds of 200 in turn, ${spread(sides.ours)}; ${(shipments * 30).toLocaleString('en-US')} events, 30 of each shipment`,
  }
}

function monthFrom(month: number): string {
  return new Date(Date.UTC(2021, month)).toISOString()
}
