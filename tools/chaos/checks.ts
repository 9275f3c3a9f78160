/** What must hold between accounts, receivers and the carrier's truth after the chaos; the rest is kill-proof's. */

import { uuidV5 } from '../../src/platform/ids.ts'
import type { Pool } from '../../src/store/database.ts'
import type { Report } from '../kill-proof/checks.ts'
import type { Account } from './customers.ts'
import type { Journey } from './journeys.ts'
import type { Interruption } from './processes.ts'
import type { Arrival } from './receivers.ts'

/** Each receiver knows whose it is: nothing of another account arrived there. */
export async function checkTenancy(pool: Pool, accounts: readonly Account[]): Promise<Report> {
  const { rows } = await pool.query<{ readonly account_id: string; readonly id: string }>(
    'select account_id, id from events',
  )
  const names = new Map(accounts.map(({ id, name }) => [id, name]))
  const owners = new Map<string, string>()
  for (const { account_id: accountId, id } of rows)
    for (const { webhooks } of accounts)
      for (const webhook of webhooks) owners.set(uuidV5(id, webhook.id), accountId)
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

/** The bytes that are kept are the bytes that arrived. */
export async function checkBytes(pool: Pool, accounts: readonly Account[]): Promise<Report> {
  const { rows } = await pool.query<{ readonly id: string; readonly body: Buffer | null }>(
    'select id, body from webhook_notifications',
  )
  const kept = new Map(rows.map(({ id, body }) => [id, body]))
  const problems = accounts
    .flatMap(({ webhooks }) => webhooks.flatMap(({ receiver }) => receiver.arrivals))
    .flatMap(({ id, body, event }) =>
      kept.get(id)?.equals(body) === true ? [] : [`${event} ${id} arrived with other bytes than are kept`],
    )
  return { says: `${rows.length} notifications arrived with the bytes that are kept.`, problems }
}

/** An answer may take this long to be written down; a timer of ours may be late by as much. */
const writtenWithinMs = 10_000

/**
 * What was acknowledged may come again only when the service cannot have seen the acknowledgement: it was cut off or
 * too late, or a process or the database died before it was written down.
 */
export async function checkRedeliveries(
  pool: Pool,
  accounts: readonly Account[],
  by: { readonly interruptions: readonly Interruption[]; readonly manual: ReadonlyMap<string, number> },
): Promise<Report> {
  const { rows } = await pool.query<{ readonly id: string; readonly good: number; readonly bad: number }>(
    `select notification_id as id, (count(*) filter (where status_code between 200 and 299))::int as good,
            (count(*) filter (where error ~ '^(timeout|reset|protocol|connect)'))::int as bad
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
            problems.push(`${arrival.event} ${id} was acknowledged by ${name} (${receiver.mode}) and came again`)
        }
      }
  return {
    says: `${again} redeliveries after an acknowledgement, ${ambiguous} ambiguous acknowledgements (${byKill} by a kill or stop, the others cut off or late).`,
    problems,
  }
}

function wasInterrupted({ atMs }: Arrival, interruptions: readonly Interruption[]): boolean {
  return interruptions.some(
    (each) => each.what !== 'api' && each.atMs >= atMs - 500 && each.atMs <= atMs + writtenWithinMs,
  )
}

/** What the carrier stands by is served to each account that tracks it, and nothing that it took back. */
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
        const stands = statements.flatMap(({ milestone, boxes: of }) => (milestone !== null && of.includes(box) ? [milestone] : []))
        const names = served.get(`${account.id} ${box}`) ?? []
        facts += stands.length
        const missing = stands.filter((name) => !names.includes(name))
        const extra = names.filter((name) => !stands.includes(name))
        if (missing.length + extra.length > 0)
          problems.push(`${account.name} ${bill} ${box}: missing ${missing.join(', ') || 'nothing'}, too many ${extra.join(', ') || 'none'}`)
      }
  return { says: `${facts} facts that the carrier stands by are served in ${rows.length} containers, and nothing else.`, problems }
}
