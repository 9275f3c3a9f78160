/** What one change costs, step by step, from the stored answer to the last of five webhooks: processor time, statements. */

import { writeFileSync } from 'node:fs'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { eventNames } from '../../src/domain/changes/event-table.ts'
import { createWebhook } from '../../src/modules/webhooks/create-webhook.ts'
import { deliverDue } from '../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { drawFlame } from './flame.ts'
import { type Installation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { type Figure, median, progress } from './measure.ts'
import { openProcessorTime, type Spent } from './processor-time.ts'

const webhooks = 5
const shipments = 100
const rounds = 7

/** The file for a picture of where the time of this process goes. */
const flamePath =
  process.env['BENCH_FLAME'] ?? (process.argv.includes('--write') ? 'docs/pictures/delivery-flame.svg' : undefined)

const stepNames = ['stored', 'read and folded', 'numbered and fanned out', 'written, signed, sent and logged'] as const

export async function benchDeliverySteps(installation: Installation, url: string): Promise<readonly Figure[]> {
  const { service } = installation
  const context = await installation.newAccount()
  const tracked = await track(installation, context, makeShipments(shipments, 77))
  const store = async (version: number): Promise<void> => {
    for (const each of tracked) await storeSnapshot(installation, each, version)
  }
  for (const version of [0, 1]) {
    await store(version)
    await workOffTasks(installation)
  }
  await service.pool.query(`update events set sequence = -ordinal where sequence is null`)
  for (let hook = 0; hook < webhooks; hook += 1)
    await createWebhook(service, context, { url: `${url}/${hook}`, isActive: true, events: eventNames, headers: null })
  const render = openRenderer(service)
  const statements = countStatements(installation)
  const number = async (): Promise<void> => {
    while ((await numberEvents(service)) > 0);
  }
  const spend = await openProcessorTime(service.pool)
  const spent = stepNames.map((): Spent[] => [])
  const counts = stepNames.map((): number[] => [])
  let deliveries = 0
  const play = async (round: number): Promise<void> => {
    // The first round has plans that were made for empty tables.
    if (round === 1) await service.pool.query('vacuum analyze')
    const steps = [
      () => store(round + 2),
      () => workOffTasks(installation),
      number,
      () => deliverDue(service, { render }),
    ]
    for (const [place, step] of steps.entries()) {
      const before = statements()
      const took = await spend(step)
      if (round === 0) continue
      spent[place]?.push(took)
      counts[place]?.push(statements() - before)
    }
    progress(`delivery: round ${round} of ${rounds}`)
  }
  for (let round = 0; round <= rounds; round += 1) await play(round)
  const { rows } = await service.pool.query<{ count: number }>(
    `select count(*)::int as count from webhook_notifications where account_id = $1 and delivery_status = 'succeeded'`,
    [context.account.id],
  )
  deliveries = (rows[0]?.count ?? 0) / (rounds + 1) / shipments
  const eachOf = (place: number, of: (each: Spent) => number): number =>
    median((spent[place] ?? []).map(of)) / shipments
  const sum = (of: (each: Spent) => number): number => stepNames.reduce((all, _, place) => all + eachOf(place, of), 0)
  const node = ({ nodeMs }: Spent): number => nodeMs
  const postgres = ({ postgresMs }: Spent): number => postgresMs ?? 0
  const perSecond = (deliveries * shipments) / median((spent[3] ?? []).map(({ seconds }) => seconds))
  const total = sum(node) + sum(postgres)
  const note = stepNames.map((name, place) => {
    const each = eachOf(place, node) + eachOf(place, postgres)
    return `${name}: ${eachOf(place, node).toFixed(2)} + ${eachOf(place, postgres).toFixed(2)} ms (${Math.round((each / total) * 100)} %), ${(median(counts[place] ?? []) / shipments).toFixed(1)} statements`
  })
  if (flamePath !== undefined) {
    const title = `One change with ${webhooks} webhooks: processor time of Node.js, from the stored answer to the last delivery`
    writeFileSync(flamePath, await drawFlame(() => play(rounds + 1), title))
  }
  return [
    {
      bench: 'delivery',
      what: `Processor time of one change with ${webhooks} webhooks, from the stored answer to the last delivery`,
      unit: 'ms',
      figure: total,
      limit: null,
      ratio: null,
      aim: 'measured',
      isMet: true,
      note: `${sum(node).toFixed(2)} ms of node and ${sum(postgres).toFixed(2)} ms of PostgreSQL, ${deliveries.toFixed(1)} deliveries a change, ${Math.round(perSecond)} a second; ${note.join('; ')}; median of ${rounds} rounds of ${shipments} changes`,
      postgres: installation.postgres,
    },
  ]
}

/** How many statements the service has sent so far. */
function countStatements({ service }: Installation): () => number {
  let count = 0
  service.pool.on('acquire', (client) => {
    const { query } = client
    if (Object.hasOwn(client, 'query')) return
    client.query = ((...args: Parameters<typeof query>) => {
      count += 1
      return query.apply(client, args)
    }) as typeof query
  })
  return () => count
}
