/**
 * How long it takes to find the shipments that a message is about, and the messages that wait for a shipment, when very
 * many messages wait.
 */

import type { Context } from '../src/modules/access/context.ts'
import type { InboundChannel } from '../src/modules/channels/inbound-channels-sql.ts'
import type { Service } from '../src/modules/service.ts'
import { ingestDelivery } from '../src/pipeline/ingestion/ingest-delivery.ts'
import { matchMentions, matchWaitingMentions } from '../src/pipeline/ingestion/match-mentions.ts'
import { boxNumber } from './edi-load.ts'
import { type Installation, openBenchChannel, openInstallation } from './installation.ts'
import { billOf, fillWaiting, waitingBillOf } from './match-fill.ts'
import { type Figure, median, percentile, progress } from './measure.ts'
import { isFull } from './size.ts'

const rounds = 25
/** Shipments of a large import, each of which also has to be matched with the waiting messages. */
const joinsBeside = 5_000

export async function benchMatch(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    const context = await installation.newAccount()
    const { account } = context
    const { channel } = await openBenchChannel(installation, account)
    const size = isFull() ? { shipments: 500_000, mentions: 1_000_000 } : { shipments: 20_000, mentions: 50_000 }
    progress('match: filling the tables')
    await fillWaiting(installation.service.pool, { accountId: account.id, channelId: channel.id, ...size })
    const of = { installation, context, channel, size }
    return [
      await match(of, 'by its box', (nth) => ({ container: boxNumber(nth) })),
      await match(of, 'by its bill', (nth) => ({ bill: billOf(nth), container: boxNumber(nth) })),
      await join(of),
    ]
  } finally {
    await installation.close()
  }
}

interface Stage {
  readonly installation: Installation
  readonly context: Context
  readonly channel: InboundChannel
  readonly size: { readonly shipments: number; readonly mentions: number }
}

async function match(
  { installation, channel, size }: Stage,
  what: string,
  about: (nth: number) => object,
): Promise<Figure> {
  const { service } = installation
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const said = { ...about(round * 7), says: 'available', value: true }
    const body = Buffer.from(JSON.stringify(said))
    await ingestDelivery(service, channel, { body, contentType: null, idempotencyKey: null })
    const before = await countTasks(service)
    ours.push(await msOf(() => matchMentions(service)))
    if ((await countTasks(service)) !== before + 1) throw new Error('a message found another number of listeners')
    limit.push(await msOf(() => plainUpdate(service)))
  }
  return figureOf(`A message matched ${what} to the shipment that hears it`, { ours, limit }, { installation, size })
}

/** A shipment becomes known by a bill that a waiting message names, after very many other shipments became known. */
async function join({ installation, context, size }: Stage): Promise<Figure> {
  const { service } = installation
  const { pool } = service
  const accountId = context.account.id
  const idOf = (n: string): string => `md5($1::uuid::text || 's' || ${n})::uuid`
  await pool.query(
    `insert into joins (account_id, id, kind, noted_at)
     select $1::uuid, ${idOf('n')}, 'shipment', timestamptz '2026-03-11' + n * interval '1 ms' from generate_series(1, $2::integer) as n`,
    [accountId, Math.min(joinsBeside, size.shipments - rounds)],
  )
  await pool.query('vacuum analyze joins')
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const nth = size.shipments - round + 1
    await pool.query(
      `with known as (
         insert into shipment_documents (account_id, number, kind, shipment_id) values ($1, $3, 'bill_of_lading', ${idOf('$2::integer')}))
       insert into joins (account_id, id, kind, noted_at) values ($1, ${idOf('$2::integer')}, 'shipment', '2026-03-10')`,
      [accountId, nth, waitingBillOf(round)],
    )
    const before = await countTasks(service)
    let looked = 0
    const ms = await msOf(async () => {
      looked = await matchWaitingMentions(service)
    })
    if ((await countTasks(service)) <= before) throw new Error('a shipment did not find its message')
    ours.push(ms / looked)
    limit.push(await msOf(() => plainUpdate(service)))
  }
  return figureOf('A shipment joined to the message that waits for it', { ours, limit }, { installation, size })
}

async function countTasks({ pool }: Service): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from tasks')
  return rows[0]?.n ?? 0
}

/** Finds one row by its key and writes it, in its own transaction. */
async function plainUpdate({ pool }: Service): Promise<void> {
  await pool.query({
    name: 'bench_match_limit',
    text: `update mentions set matched_at = matched_at where id = (select id from mentions order by id limit 1)`,
  })
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function figureOf(
  what: string,
  { ours, limit }: { readonly ours: readonly number[]; readonly limit: readonly number[] },
  { installation, size }: Pick<Stage, 'installation' | 'size'>,
): Figure {
  const [own, other] = [median(ours), median(limit)]
  return {
    bench: 'match',
    what,
    unit: 'ms',
    figure: own,
    limit: { what: 'one row found by its key and written, p50', value: other },
    ratio: own / other,
    aim: 'under 20 ms',
    isMet: own < 20,
    note: `p99 ${percentile(ours, 0.99).toFixed(1)} ms of ${ours.length}; ${size.shipments} shipments, ${size.mentions} messages that wait; fsync on`,
    postgres: installation.postgres,
  }
}
