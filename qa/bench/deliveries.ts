/**
 * How many deliveries per second go out to 1, 8 and 64 receivers, compared with the bare HTTP client and the same
 * bytes; how long a delivery takes at a steady hundred changes per second; and how much a receiver that answers after
 * 15 s delays the others.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { registerAllResources } from '../../src/api/json-api/all-resources.ts'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { makeSecret, signedHeaders } from '../../src/modules/webhooks/signatures.ts'
import { fillIn } from '../../src/pipeline/delivery/payloads.ts'
import { deliverDue } from '../../src/pipeline/delivery/start-deliveries.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { startWorkers } from '../../src/server/workers.ts'
import { type Hook, openStage, receiversMax, type Stage } from './deliveries-stage.ts'
import { alternate, type Figure, median, medianRatio, percentile, progress, spread } from './measure.ts'

registerAllResources()

/** For each number of receivers: the number of events for each receiver with which a round takes about a second. */
const shapes = [
  { receivers: 1, eventsEach: 200 },
  { receivers: 8, eventsEach: 50 },
  { receivers: 64, eventsEach: 10 },
] as const
const rounds = 5
const warmUpRounds = 2
const aimPerSecond = 100
const ratioMin = 0.25
/** The limit is so much faster that its rounds would otherwise be too short to measure. */
const limitTimes = 4
/** The same limits as in the delivery pump. */
const perReceiverMax = 16
const atOnceMax = 512

const changesPerSecond = 100
const seconds = 15
const settleMsMax = 10_000
const aimMs = 1_000
const slowRatioMax = 2

export async function benchDeliveries(): Promise<readonly Figure[]> {
  const stage = await openStage()
  try {
    const figures: Figure[] = []
    const warmUp = stage.hooks.slice(0, 8)
    for (let round = 0; round < warmUpRounds; round += 1) await send(stage, warmUp, 20)
    // Autovacuum does this within a minute in practice. Plans that were made for empty tables are not to be measured.
    await stage.installation.service.pool.query('vacuum analyze')
    for (const shape of shapes) figures.push(await measureRate(stage, shape))
    const others = stage.hooks.slice(0, 8)
    const alone = await measureDelay(stage, others, others)
    const withSlow = await measureDelay(stage, [...others, stage.slow], others)
    return [...figures, judgeDelay(stage, alone), judgeSlow(stage, alone, withSlow)]
  } finally {
    await stage.close()
  }
}

async function measureRate(
  stage: Stage,
  { receivers, eventsEach }: { readonly receivers: number; readonly eventsEach: number },
): Promise<Figure> {
  const hooks = stage.hooks.slice(0, receivers)
  const deliveries = receivers * eventsEach
  progress(`deliveries: ${deliveries} a round to ${receivers} receivers`)
  await stage.listen(hooks)
  let bytes: readonly Sent[] = []
  const sides = await alternate(rounds, {
    ours: async () => {
      const perSecond = await send(stage, hooks, eventsEach)
      bytes = await readSent(stage, hooks, deliveries)
      return perSecond
    },
    limit: () => sendBare(stage, hooks, bytes),
  })
  const figure = median(sides.ours)
  const ratio = medianRatio(sides)
  const length = Math.round(median(bytes.map(({ body }) => body.length)))
  return {
    bench: 'deliveries',
    what: `Deliveries to ${receivers} ${receivers === 1 ? 'receiver' : 'receivers'}: claimed, written, signed, sent, logged`,
    unit: 'deliveries/s',
    figure,
    limit: { what: 'the same bytes by the same HTTP client, as many at once', value: median(sides.limit) },
    ratio,
    ...(receivers === receiversMax
      ? { aim: `ratio at least ${ratioMin}`, isMet: ratio >= ratioMin }
      : { aim: `at least ${aimPerSecond} deliveries/s`, isMet: figure >= aimPerSecond }),
    note:
      `${rounds} rounds of ${deliveries} deliveries of ${length} bytes; ${spread(sides.ours)} against ${spread(sides.limit)}; ` +
      `receivers in one other process; fsync on`,
    postgres: stage.installation.postgres,
  }
}

/** Announces and numbers the events first. Only the deliveries are timed. */
async function send(stage: Stage, hooks: readonly Hook[], eventsEach: number): Promise<number> {
  const { service } = stage.installation
  await stage.listen(hooks)
  const accounts = [...new Set(hooks.map(({ accountId }) => accountId))]
  await stage.announce(
    accounts.flatMap((account) => {
      const templates = stage.templates.get(account) ?? []
      return Array.from({ length: eventsEach }, (_, place) => {
        const template = templates[place % templates.length]
        if (template === undefined) throw new Error('an account has no events')
        return template
      })
    }),
  )
  await numberEvents(service)
  const expected = hooks.length * eventsEach
  const startedAt = performance.now()
  const sent = await deliverDue(service, { render: openRenderer(service) })
  const tookSeconds = (performance.now() - startedAt) / 1_000
  const came = await stage.arrived()
  if (sent !== expected || came.size !== expected) throw new Error(`${came.size} of ${expected} deliveries arrived`)
  return sent / tookSeconds
}

interface Sent {
  readonly webhookId: string
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The requests of the last round, exactly as they were sent. */
async function readSent(stage: Stage, hooks: readonly Hook[], limit: number): Promise<readonly Sent[]> {
  const { service } = stage.installation
  const { rows } = await service.pool.query<{ id: string; webhook_id: string; body: Buffer }>(
    `select n.id, n.webhook_id, p.body from webhook_notifications n
       join webhook_payloads p on p.account_id = n.account_id and p.event_id = n.event_id
      where n.webhook_id = any($1::uuid[]) order by n.created_at desc, n.sequence desc limit $2`,
    [hooks.map(({ webhookId }) => webhookId), limit],
  )
  const secrets = [makeSecret()]
  return rows.map(({ id, webhook_id, body: payload }) => {
    const body = fillIn(payload, { id, webhookId: webhook_id })
    const hexHeaders = service.config.network.signatureHeaders
    const signed = signedHeaders({ id, body, atMs: service.clock.now(), secrets, hexHeaders })
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Landfall',
      ...Object.fromEntries(signed),
    }
    return { webhookId: webhook_id, body, headers }
  })
}

async function sendBare(stage: Stage, hooks: readonly Hook[], sent: readonly Sent[]): Promise<number> {
  const { service } = stage.installation
  const hands = Math.min(perReceiverMax, Math.floor(atOnceMax / hooks.length))
  const byHook = Map.groupBy(sent, ({ webhookId }) => webhookId)
  const startedAt = performance.now()
  await Promise.all(
    hooks.flatMap(({ webhookId, url, accountId }) => {
      const once = byHook.get(webhookId) ?? []
      const queue = Array.from({ length: limitTimes }, () => once)
        .flat()
        .values()
      return Array.from({ length: hands }, async () => {
        for (const { body, headers } of queue) {
          const result = await service.egress.request({
            url,
            method: 'POST',
            headers,
            body,
            timeoutMs: service.config.network.deliveryTimeoutMs,
            maxBytes: 65_536,
            tenant: accountId,
          })
          if (result.kind !== 'answer') throw new Error(`the bare client failed: ${result.kind}`)
        }
      })
    }),
  )
  const tookSeconds = (performance.now() - startedAt) / 1_000
  await stage.arrived()
  return (limitTimes * sent.length) / tookSeconds
}

interface Delays {
  readonly delaysMs: readonly number[]
  readonly lost: number
}

/**
 * Measures from the moment when an event is written until it arrives at a webhook of `measured`. Numbering and
 * deliveries run as in the service.
 */
async function measureDelay(stage: Stage, listening: readonly Hook[], measured: readonly Hook[]): Promise<Delays> {
  const { service } = stage.installation
  await stage.listen(listening)
  const changes = changesPerSecond * seconds
  progress(
    `deliveries: ${changes} changes, ${changesPerSecond} a second, to ${listening.length} webhooks${listening.length > measured.length ? ', one of them slow' : ''}`,
  )
  const workers = startWorkers(service, { render: openRenderer(service) })
  const expected = new Map<string, number>()
  const writing: Promise<void>[] = []
  const startedAt = performance.now()
  for (let change = 0; change < changes; change += 1) {
    const waitMs = startedAt + (change * 1_000) / changesPerSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    const hook = measured[change % measured.length]
    const templates = stage.templates.get(hook?.accountId ?? '') ?? []
    const template = templates[Math.floor(change / measured.length) % templates.length]
    if (hook === undefined || template === undefined) throw new Error('there is nothing to announce')
    const atMs = performance.timeOrigin + performance.now()
    writing.push(
      stage.announce([template]).then(([id = '']) => {
        expected.set(`${id} ${hook.webhookId}`, atMs)
      }),
    )
  }
  await Promise.all(writing)
  const came = new Map<string, number>()
  const until = performance.now() + settleMsMax
  while (performance.now() < until && [...expected.keys()].some((id) => !came.has(id))) {
    await pause(200)
    const times = await stage.arrived()
    const { rows } = await service.pool.query<{ id: string; key: string }>(
      `select id, event_id || ' ' || webhook_id as key from webhook_notifications where webhook_id = any($1::uuid[])`,
      [measured.map(({ webhookId }) => webhookId)],
    )
    for (const { id, key } of rows) {
      const atMs = times.get(id)
      if (atMs !== undefined) came.set(key, atMs)
    }
  }
  // Otherwise `stop` would wait for the deliveries that the slow receiver still holds.
  if (listening.length > measured.length) stage.closeReceivers()
  await workers.stop()
  const endedAt = performance.timeOrigin + performance.now()
  return {
    delaysMs: [...expected].map(([id, atMs]) => (came.get(id) ?? endedAt) - atMs),
    lost: [...expected.keys()].filter((id) => !came.has(id)).length,
  }
}

function judgeDelay(stage: Stage, alone: Delays): Figure {
  const p99 = percentile(alone.delaysMs, 0.99)
  return {
    bench: 'deliveries',
    what: `Delay from event written to webhook received, p99, at ${changesPerSecond} changes a second`,
    unit: 'ms',
    figure: p99,
    limit: { what: 'the aim', value: aimMs },
    ratio: p99 / aimMs,
    aim: `p99 under ${aimMs.toLocaleString('en-US')} ms`,
    isMet: p99 < aimMs && alone.lost === 0,
    delaysMs: alone.delaysMs,
    note: `${describe(alone)}; numbering, notifications and deliveries only, to 8 webhooks of 8 accounts; fsync on`,
    postgres: stage.installation.postgres,
  }
}

function judgeSlow(stage: Stage, alone: Delays, withSlow: Delays): Figure {
  const p99 = percentile(withSlow.delaysMs, 0.99)
  const limit = percentile(alone.delaysMs, 0.99)
  return {
    bench: 'deliveries',
    what: 'The same beside a receiver that answers after 15 s: delay of the others, p99',
    unit: 'ms',
    figure: p99,
    limit: { what: 'the same without the slow receiver', value: limit },
    ratio: p99 / limit,
    aim: `ratio at most ${slowRatioMax}`,
    isMet: p99 / limit <= slowRatioMax && withSlow.lost === 0,
    delaysMs: withSlow.delaysMs,
    note: `${describe(withSlow)}; the slow one is told of every eighth change, in an account with one of the others`,
    postgres: stage.installation.postgres,
  }
}

function describe({ delaysMs, lost }: Delays): string {
  const at = (part: number) => `${Math.round(percentile(delaysMs, part))} ms`
  return `${delaysMs.length} deliveries in ${seconds} s, ${lost === 0 ? 'all' : `all but ${lost}`} arrived; p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, longest ${at(1)}`
}
