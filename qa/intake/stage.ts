/**
 * A database with one account for each kind of channel, its channels, and lines that never answer: the accounts know
 * only what was sent.
 */

import type { Context } from '../../src/modules/access/context.ts'
import { setLineEnabled } from '../../src/modules/carriers/enabled-lines.ts'
import { createChannel, getChannel } from '../../src/modules/channels/channels.ts'
import { readRawEvents } from '../../src/modules/provenance/raw-events-sql.ts'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { ingestDelivery } from '../../src/pipeline/ingestion/ingest-delivery.ts'
import type { Fold } from '../../src/pipeline/ledger/fold.ts'
import { foldBy } from '../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../src/pipeline/ledger/rules.ts'
import { findShippingLine } from '../../src/reference/shipping-lines.ts'
import { openCarrier } from '../../test/support/carrier.ts'
import { giveAccess, openTestService } from '../../test/support/service.ts'
import type { Language } from './carries.ts'
import { joinSendings, profileOf, type Sending } from './deliveries.ts'
import { endOf } from './end.ts'
import { speakerOf } from './expected.ts'
import type { Journey } from './journeys.ts'
import { writeRawEvents } from './raw-events.ts'
import { type Way, ways } from './sendings.ts'

export interface ProofStage {
  readonly fold: Fold
  readonly ask: (way: Way, journey: Journey) => Promise<void>
  /** Sends messages of one line and of the terminals that serve it. */
  readonly send: (way: Way, scac: string, sendings: readonly Sending[]) => Promise<number>
  readonly drain: () => Promise<void>
  /** Does what autovacuum does in an ordinary database. */
  readonly tidy: () => Promise<void>
  /** The final state of each journey; no entry when the request has found nothing. */
  readonly endsOf: (way: Way) => Promise<ReadonlyMap<string, readonly string[]>>
  /** The raw events of each journey that stand, by the last trip of each of its boxes. */
  readonly rawEventsOf: (way: Way) => Promise<ReadonlyMap<string, readonly string[]>>
  readonly checkRecord: () => Promise<readonly string[]>
  readonly differencesOfRebuild: () => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

export async function openProofStage(now: string): Promise<ProofStage> {
  const opened = await openTestService({ startAt: now })
  const { service } = opened
  const carrier = await openCarrier()
  // A line that answers "not found" would end the search for a box, so all lines answer 503.
  carrier.answers({ status: 503, json: {} })
  const fold = foldBy(readRules(service.config))
  const accounts = new Map<Way, Context>()
  for (const way of ways) accounts.set(way, await opened.newAccount())
  const accountOf = (way: Way): Context => accounts.get(way) as Context
  const known = new Map<string, ReturnType<typeof getChannel>>()
  const lines = new Map<string, Promise<void>>()
  const open = (way: Way, scac: string, { language, by }: Omit<Sending, 'bytes'>): ReturnType<typeof getChannel> => {
    const name = `${way}-${scac}-${language}-${by}`.toLowerCase()
    const channel = known.get(name) ?? openChannel(name, way, { scac, language, by })
    known.set(name, channel)
    return channel
  }
  const openChannel = async (
    name: string,
    way: Way,
    { scac, language, by }: { scac: string; language: Language; by: Sending['by'] },
  ) => {
    const { id, isSandbox } = accountOf(way).account
    await createChannel(service, {
      name,
      account: { id, isSandbox },
      speaker: speakerOf(by, scac),
      source: language,
      profile: profileOf(language, scac),
      isFirstHand: true,
      keyKind: 'bearer',
    })
    return getChannel(service, name)
  }
  const openLine = async (scac: string): Promise<void> => {
    await giveAccess(opened, { scac, profile: carrier.profile(scac) })
    if (findShippingLine(scac)?.access === 'public') return
    for (const account of accounts.values()) await setLineEnabled(service, account, { scac, isEnabled: true })
  }
  return {
    fold,
    ask: async (way, { scac, asked }) => {
      const access = lines.get(scac) ?? openLine(scac)
      lines.set(scac, access)
      await access
      const input = {
        requestType: asked.type,
        requestNumber: asked.number,
        scac,
        refNumbers: [],
        shipmentTags: [],
      }
      await requestTracking(service, accountOf(way), input)
    },
    send: async (way, scac, sendings) => {
      let parts = 0
      const batches = Map.groupBy(sendings, ({ language, by }) => `${language} ${by}`)
      for (const batch of batches.values()) {
        const [first] = batch
        if (first === undefined) continue
        const body = joinSendings(first.language, batch)
        const channel = await open(way, scac, first)
        const taken = await ingestDelivery(service, channel, {
          body,
          contentType: null,
          idempotencyKey: null,
        })
        if (taken.faults.length > 0) throw new Error(`${first.language}: ${JSON.stringify(taken.faults[0])}`)
        parts += taken.items.length
      }
      return parts
    },
    drain: opened.drain,
    tidy: async () => void (await service.pool.query('vacuum analyze')),
    endsOf: async (way) => {
      const { rows } = await service.pool.query<{ readonly key: string; readonly shown: never }>(
        `select r.scac || ' ' || r.request_type || ' ' || r.number as key,
                s.projection || jsonb_build_object('containers', array(
                  select c.projection from containers c where c.account_id = s.account_id and c.shipment_id = s.id)) as shown
           from tracking_requests r
           join shipments s on s.account_id = r.account_id and s.id = r.shipment_id
          where r.account_id = $1`,
        [accountOf(way).account.id],
      )
      return new Map(rows.map(({ key, shown }) => [key, endOf(shown)]))
    },
    rawEventsOf: async (way) => {
      const { id: accountId } = accountOf(way).account
      const { rows } = await service.pool.query<{ readonly key: string; readonly ids: readonly string[] }>(
        `select r.scac || ' ' || r.request_type || ' ' || r.number as key,
                array(select distinct on (c.number) c.id from containers c
                       where c.account_id = r.account_id and c.shipment_id = r.shipment_id
                       order by c.number, c.trip desc) as ids
           from tracking_requests r
          where r.account_id = $1 and r.shipment_id is not null`,
        [accountId],
      )
      const lines = new Map<string, readonly string[]>()
      for (const { key, ids } of rows)
        lines.set(key, writeRawEvents(await readRawEvents(service.pool, { accountId, containerIds: ids, ids: null })))
      return lines
    },
    checkRecord: () => checkRecord(service.pool),
    differencesOfRebuild: async () => {
      const quietly = { repair: false, differencesMax: 20, progress: () => {} }
      return (await rebuildProjections(service, fold, quietly)).differences.map((each) => JSON.stringify(each))
    },
    close: async () => {
      await carrier.close()
      await opened.close()
    },
  }
}

type Pool = Parameters<typeof rebuildProjections>[0]['pool']

/** Checks that nothing is queued, nothing was folded twice, and each hearing has its entry. */
export async function checkRecord(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<Record<string, number>>(
    `select (select count(*)::int from mentions where matched_at is null) as "mentions that nobody matched",
            (select count(*)::int from joins) as "joins that wait",
            (select count(*)::int from tasks) as "tasks that wait",
            (select count(*)::int from inbound_messages where parts_taken < parts) as "deliveries taken in half",
            (select abs(h.n - e.n)::int from (select count(*) as n from hearings) h,
                    (select count(*) as n from ledger where kind = 'heard') e) as "hearings without an entry, or entries without one",
            (select count(*)::int from (select 1 from hearings group by account_id, shipment_id, mention_id having count(*) > 1) t)
              as "mentions heard twice"`,
  )
  return Object.entries(rows[0] ?? {}).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
}
