/** What must be true of accounts, receivers and the carrier's truth after the chaos. Other checks are in kill-proof. */

import type { Pool } from '../../src/db/database.ts'
import { fillIn } from '../../src/pipeline/delivery/payloads.ts'
import type { Report } from '../kill/checks.ts'
import type { Account } from './customers.ts'
import type { Journey } from './journeys.ts'
import type { Interruption } from './processes.ts'
import type { Arrival } from './receivers.ts'

/** Each receiver belongs to one account, and must have received nothing of another account. */
export async function checkTenancy(pool: Pool, accounts: readonly Account[]): Promise<Report> {
  const { rows } = await pool.query<{ readonly account_id: string; readonly id: string }>(
    'select account_id, id from webhook_notifications',
  )
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  const owners = new Map(rows.map(({ account_id: accountId, id }) => [id, accountId]))
  const problems: string[] = []
  let arrivals = 0
  for (const { id: accountId, name, webhooks } of accounts)
    for (const { receiver } of webhooks) {
      arrivals += receiver.arrivals.length
      for (const { id, event, isSigned } of receiver.arrivals) {
        const owner = owners.get(id)
        if (owner !== undefined && owner !== accountId)
          problems.push(`leak: ${event} ${id} of ${names.get(owner)} arrived at ${name} (${receiver.mode})`)
        else if (!isSigned) problems.push(`${event} ${id} arrived at ${name} (${receiver.mode}) without its signature`)
      }
    }
  return { says: `${arrivals} arrivals, each at a receiver of its own account.`, problems }
}

/** `/v2/events` must serve an account all of its events in order, page by page, and none of another account. */
export async function checkFeed(pool: Pool, accounts: readonly Account[]): Promise<Report> {
  const problems: string[] = []
  let served = 0
  for (const { id: accountId, name, apiUrl, key } of accounts) {
    const { rows } = await pool.query<{ readonly id: string }>(
      'select id from events where account_id = $1 and sequence is not null order by sequence',
      [accountId],
    )
    const ids: string[] = []
    for (let next: string | null = `${apiUrl}/v2/events?after=0&limit=1000`; next !== null; ) {
      const response: Response = await fetch(next, { headers: { authorization: `Token ${key}` } })
      if (response.status !== 200) throw new Error(`${next} answered ${response.status}`)
      const page = (await response.json()) as {
        readonly data: readonly { readonly id: string }[]
        readonly links: { readonly next: string }
      }
      ids.push(...page.data.map(({ id }) => id))
      next = page.data.length === 0 ? null : new URL(page.links.next, apiUrl).href
    }
    served += ids.length
    const at = rows.findIndex(({ id }, place) => ids[place] !== id)
    if (at >= 0 || ids.length !== rows.length)
      problems.push(`${name} is served ${ids.length} of ${rows.length} events; the first difference is at ${at}`)
  }
  return { says: `The feeds serve ${served} events, each account its own and in order.`, problems }
}

/** The stored bytes must be equal to the bytes that arrived. */
export async function checkBytes(pool: Pool, accounts: readonly Account[]): Promise<Report> {
  const { rows } = await pool.query<{ readonly id: string; readonly webhookId: string; readonly body: Buffer }>(
    `select n.id, n.webhook_id as "webhookId", p.body from webhook_notifications n
       join webhook_payloads p on p.account_id = n.account_id and p.event_id = n.event_id`,
  )
  // An event that was recovered has a payload for each time.
  const stored = Map.groupBy(rows, ({ id }) => id)
  const problems = accounts
    .flatMap(({ webhooks }) => webhooks.flatMap(({ receiver }) => receiver.arrivals))
    .flatMap(({ id, body, event }) =>
      stored.get(id)?.some((each) => fillIn(each.body, each).equals(body)) === true
        ? []
        : [`${event} ${id} arrived with other bytes than are kept`],
    )
  return { says: `${stored.size} notifications arrived with the bytes that are kept.`, problems }
}

/** How long after an answer its result may be stored. A timer of ours may be late by as much. */
const writtenWithinMs = 5_000
/** A request may reach its receiver after its sender was killed. */
const beforeMs = 500

/**
 * An acknowledged notification may come again only when the service cannot have seen the acknowledgement: it was cut
 * off or too late, or a process or the database was killed before it was stored.
 */
export async function checkRedeliveries(
  pool: Pool,
  accounts: readonly Account[],
  by: {
    readonly interruptions: readonly Interruption[]
    readonly manual: ReadonlyMap<string, number>
    /** What the processes wrote about a notification. */
    readonly logOf: (notificationId: string) => readonly string[]
  },
): Promise<Report> {
  const { rows } = await pool.query<{
    readonly id: string
    readonly good: number
    readonly bad: number
    readonly said: string
  }>(
    `select notification_id as id, (count(*) filter (where status_code between 200 and 299))::int as good,
            (count(*) filter (where error ~ '^(timeout|reset|protocol|connect)'))::int as bad,
            string_agg(concat_ws(' ', created_at, status_code, error, duration_ms || ' ms'), '; ' order by attempt, created_at) as said
       from webhook_notification_logs group by notification_id`,
  )
  const logged = new Map(rows.map((row) => [row.id, row]))
  const problems: string[] = []
  let [again, ambiguous, byKill] = [0, 0, 0]
  for (const { name, webhooks } of accounts)
    for (const { receiver } of webhooks)
      for (const [id, arrivals] of Map.groupBy(receiver.arrivals, (arrival) => arrival.id)) {
        const log = logged.get(id)
        const manual = by.manual.get(id) ?? 0
        if ((log?.good ?? 0) > 1 + manual)
          problems.push(`${id} succeeded ${log?.good} times at ${name} (${receiver.mode})`)
        let unheard = log?.bad ?? 0
        for (const [place, arrival] of arrivals.entries()) {
          if (!arrival.isAcknowledged || place === arrivals.length - 1) continue
          again += 1
          const isCut = unheard > 0
          if (isCut) unheard -= 1
          const isKilled = !isCut && wasInterrupted(arrival, by.interruptions)
          if (isCut || isKilled) ambiguous += 1
          if (isKilled) byKill += 1
          if (!isCut && !isKilled && manual === 0)
            problems.push(
              `${arrival.event} ${id} was acknowledged by ${name} (${receiver.mode}) at ${timeOf(arrival)} and came again: arrivals at ${arrivals.map(timeOf).join(', ')}; attempts on record ${log?.said ?? 'none'}; interruptions ${between(arrivals, by.interruptions)}; logged ${by.logOf(id).join('; ') || 'nothing'}`,
            )
        }
      }
  return {
    says: `${again} redeliveries after an acknowledgement, ${ambiguous} ambiguous acknowledgements (${byKill} by a kill or stop, the others cut off or late).`,
    problems,
  }
}

/** Of the interruptions, those from its first arrival to its last. */
function between(arrivals: readonly Arrival[], all: readonly Interruption[]): string {
  const [firstMs = 0, lastMs = 0] = [arrivals[0]?.atMs, arrivals.at(-1)?.atMs]
  const near = all.filter(({ atMs }) => atMs >= firstMs - beforeMs && atMs <= lastMs)
  return near.map((each) => `${each.what} ${timeOf(each)}`).join(', ') || 'none'
}

function timeOf({ atMs }: { readonly atMs: number }): string {
  return new Date(atMs).toISOString()
}

function wasInterrupted({ atMs }: Arrival, interruptions: readonly Interruption[]): boolean {
  return interruptions.some(
    (each) => each.what !== 'api' && each.atMs >= atMs - beforeMs && each.atMs <= atMs + writtenWithinMs,
  )
}

/**
 * The statements that are true at the carrier in the end must be served to each account that tracks them. Withdrawn
 * statements must not be served.
 */
export async function checkCarrierTruth(
  pool: Pool,
  tracked: readonly { readonly account: Account; readonly journeys: readonly Journey[] }[],
): Promise<Report> {
  const { rows } = await pool.query<{
    readonly account_id: string
    readonly bill: string
    readonly number: string
    readonly names: readonly string[] | null
  }>(
    `select c.account_id, s.normalized_number as bill, c.number,
            array_agg(replace(e.event, 'container.transport.', '') order by e.event) filter (where e.id is not null) as names
       from containers c
       join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
       left join transport_events e on e.account_id = c.account_id and e.container_id = c.id
            and e.invalidated_at is null and e.milestone is not null and e.event not like '%.estimated.%'
      group by c.account_id, s.normalized_number, c.number`,
  )
  const served = new Map(rows.map((row) => [`${row.account_id} ${row.number}`, row.names ?? []]))
  const problems: string[] = []
  let facts = 0
  for (const { account, journeys } of tracked)
    for (const { bill, boxes, statements } of journeys)
      for (const box of boxes) {
        const stands = statements.flatMap(({ milestone, boxes: of }) =>
          milestone !== null && of.includes(box) ? [milestone] : [],
        )
        const names = served.get(`${account.id} ${box}`) ?? []
        facts += stands.length
        const missing = stands.filter((name) => !names.includes(name))
        const extra = names.filter((name) => !stands.includes(name))
        if (missing.length + extra.length > 0)
          problems.push(
            `${account.name} ${bill} ${box}: missing ${missing.join(', ') || 'nothing'}, too many ${extra.join(', ') || 'none'}`,
          )
      }
  const { rows: counts } = await pool.query<Record<string, number>>(
    `select count(*) filter (where name = 'container.transport.corrected')::int as corrected,
            count(*) filter (where name = 'container.transport.retracted')::int as retracted from events`,
  )
  const { corrected, retracted } = counts[0] ?? {}
  return {
    says: `${facts} facts that the carrier stands by are served in ${rows.length} containers, and nothing else; on the way ${corrected} were corrected and ${retracted} retracted.`,
    problems,
  }
}
