/** How long a change takes from its stored snapshot to the webhook's receiver, at a steady 50 changes a second. */

import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { registerAllResources } from '../../src/api/json-api/all-resources.ts'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { eventNames } from '../../src/domain/changes/event-table.ts'
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts'
import { startWorkers } from '../../src/server/workers.ts'
import { benchDeliverySteps } from './delivery-steps.ts'
import {
  type Installation,
  openInstallation,
  storeSnapshot,
  type Tracked,
  track,
  workOffTasks,
} from './installation.ts'
import { makeShipments } from './journeys.ts'
import { type Figure, percentile, progress } from './measure.ts'
import { lines, startProgram } from './program.ts'

registerAllResources()

const accounts = 5
const shipmentsPerAccount = 50
const changesPerSecond = 50
const seconds = 20
const settleSecondsMax = 20
const aimMs = 2_000

export async function benchDelivery(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const receiver = startProgram(new URL('./delivery-receiver.ts', import.meta.url))
  const told = lines(receiver)
  try {
    const [line] = (await once(told, 'line')) as [string]
    const { port } = JSON.parse(line) as { readonly port: number }
    const url = `http://127.0.0.1:${port}/hook`
    const tracked = await prepare(installation, url)
    const storedAt = await play(installation, tracked)
    const steps = await benchDeliverySteps(installation, url)
    receiver.stdin?.end()
    const [answer] = (await once(told, 'line')) as [string]
    const { came } = JSON.parse(answer) as { readonly came: readonly (readonly [string, number])[] }
    return [await judge(installation, storedAt, new Map(came)), ...steps]
  } finally {
    receiver.kill()
    await installation.close()
  }
}

/**
 * Makes the shipments known before the webhooks exist, because first announcements are not to be measured. Each webhook
 * then gets one change of each shipment, as in an installation that has run for a while: PostgreSQL makes other plans
 * for empty tables.
 */
async function prepare(installation: Installation, url: string): Promise<readonly Tracked[]> {
  const { service } = installation
  const all: Tracked[] = []
  for (let account = 0; account < accounts; account += 1) {
    const context = await installation.newAccount()
    const tracked = await track(installation, context, makeShipments(shipmentsPerAccount, 10 + account))
    await storeAll(installation, tracked, 0)
    await storeAll(installation, tracked, 1)
    all.push(...tracked)
    await createWebhook(service, context, { url, isActive: true, events: eventNames, headers: null })
  }
  // Numbers the earlier events by hand, so that the new webhooks do not get them.
  await service.pool.query(`update events set sequence = -ordinal where sequence is null`)
  await storeAll(installation, all, 2)
  const workers = startWorkers(service, { render: openRenderer(service) })
  await settle(installation, 60)
  await workers.stop()
  await service.pool.query('vacuum analyze')
  return all
}

async function storeAll(installation: Installation, tracked: readonly Tracked[], version: number): Promise<void> {
  for (const each of tracked) await storeSnapshot(installation, each, version)
  await workOffTasks(installation)
}

/**
 * Stores a changed snapshot at a steady rate. When everything that follows is delivered, returns the time at which each
 * was stored.
 */
async function play(installation: Installation, tracked: readonly Tracked[]): Promise<ReadonlyMap<string, number>> {
  const { service } = installation
  const workers = startWorkers(service, { render: openRenderer(service) })
  const changes = changesPerSecond * seconds
  progress(`delivery: ${changes} changes of ${tracked.length} shipments, ${changesPerSecond} a second`)
  const storedAt = new Map<string, number>()
  const storing: Promise<void>[] = []
  const startedAt = performance.now()
  for (let change = 0; change < changes; change += 1) {
    const waitMs = startedAt + (change * 1_000) / changesPerSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    const each = tracked[change % tracked.length]
    if (each === undefined) throw new Error('nothing is tracked')
    const version = 3 + Math.floor(change / tracked.length)
    const store = storeSnapshot(installation, each, version)
    storing.push(store.then((id) => void storedAt.set(id, performance.timeOrigin + performance.now())))
    if (change % (changesPerSecond * 5) === 0) progress(`  ${change} of ${changes}`)
  }
  await Promise.all(storing)
  await settle(installation, settleSecondsMax)
  await workers.stop()
  return storedAt
}

async function settle(installation: Installation, secondsMax: number): Promise<void> {
  const until = performance.now() + secondsMax * 1_000
  while (performance.now() < until && !(await isSettled(installation))) await pause(200)
}

async function isSettled({ service }: Installation): Promise<boolean> {
  const { rows } = await service.pool.query<{ left: number }>(
    `select (select count(*) from tasks) + (select count(*) from events where sequence is null)
          + (select count(*) from webhook_notifications where delivery_status = 'pending') as left`,
  )
  return rows[0]?.left === 0
}

/** Traces each notification back, over its event and the ledger, to the snapshot that caused it. */
async function judge(
  { service, postgres }: Installation,
  storedAt: ReadonlyMap<string, number>,
  cameAt: ReadonlyMap<string, number>,
): Promise<Figure> {
  const { rows } = await service.pool.query<{ id: string; snapshot_id: string }>(
    `select n.id, l.snapshot_id
       from webhook_notifications n
       join events e on e.account_id = n.account_id and e.id = n.event_id
       join ledger l on l.account_id = e.account_id and l.shipment_id = e.shipment_id and l.recorded_at = e.created_at
      where l.kind = 'look' and l.snapshot_id = any($1)`,
    [[...storedAt.keys()]],
  )
  // A notification that has not arrived at the end counts with the time that it has waited so far.
  const endedAt = performance.timeOrigin + performance.now()
  const heard = new Set(rows.map((row) => row.snapshot_id))
  const untold = [...storedAt].filter(([snapshotId]) => !heard.has(snapshotId))
  const delays = [
    ...rows.map(({ id, snapshot_id }) => (cameAt.get(id) ?? endedAt) - (storedAt.get(snapshot_id) ?? endedAt)),
    ...untold.map(([, from]) => endedAt - from),
  ]
  const lost = rows.filter(({ id }) => !cameAt.has(id)).length + untold.length
  const p99 = percentile(delays, 0.99)
  return {
    bench: 'delivery',
    what: `Delay from snapshot stored to webhook received, p99, at ${changesPerSecond} changes a second`,
    unit: 'ms',
    figure: p99,
    limit: { what: 'the aim', value: aimMs },
    ratio: p99 / aimMs,
    aim: 'p99 under 2,000 ms',
    isMet: p99 < aimMs && lost === 0,
    delaysMs: delays,
    note:
      `${storedAt.size} changes in ${seconds} s, ${delays.length} deliveries to ${accounts} webhooks, ${lost === 0 ? 'all' : `all but ${lost}`} within ${settleSecondsMax} s of the last change; ` +
      `p50 ${Math.round(percentile(delays, 0.5))} ms, p90 ${Math.round(percentile(delays, 0.9))} ms, ` +
      `p99 ${Math.round(p99)} ms, longest ${Math.round(Math.max(...delays))} ms; workers in this process, receiver in another; fsync on`,
    postgres,
  }
}
