/**
 * What must be true of events, deliveries and states after any number of kills, read from the database and the
 * receiver.
 */

import type { Pool } from '../../src/db/database.ts'
import type { Delivery } from '../../test/e2e/receiver.ts'

export interface Report {
  readonly says: string
  readonly problems: readonly string[]
}

export interface EventRow {
  readonly id: string
  readonly account_id: string
  readonly sequence: number | null
  readonly name: string
  readonly natural_key: string
  /** What the event is about, and when: of all its versions at one moment the same. */
  readonly theme: string
}

/**
 * The natural key shows whether two events with different ids report the same happening. It is the row that they
 * report; for an event that can happen only once, the thing that it happened to; for all others their content and time.
 */
const readEvents = `
  select id, account_id, sequence, name,
         name || ' ' || case
           when reference_type = 'transport_event' then reference_id::text
           when name = 'container.created' then container_id::text
           when name in ('tracking_request.succeeded', 'tracking_request.failed', 'tracking_request.awaiting_manifest')
             then tracking_request_id::text
           else concat_ws(' ', tracking_request_id, shipment_id, container_id, created_at, payload)
         end as natural_key,
         concat_ws(' ', name, tracking_request_id, shipment_id, container_id, created_at) as theme
    from events order by sequence nulls last`

/** Numbers must have no gaps from 1 on, every event must have a number, and nothing may be reported twice. */
export async function checkEvents(pool: Pool): Promise<Report> {
  const { rows } = await pool.query<EventRow>(readEvents)
  const counters = await pool.query<{ readonly account_id: string; readonly last_sequence: number }>(
    'select account_id, last_sequence from event_counters',
  )
  const problems: string[] = []
  for (const { account_id: accountId, last_sequence: last } of counters.rows) {
    const numbers = new Set(rows.filter((row) => row.account_id === accountId).map(({ sequence }) => sequence))
    for (let number = 1; number <= last; number += 1)
      if (!numbers.has(number)) problems.push(`no event has the number ${number}: lost`)
  }
  for (const { id, name } of rows.filter(({ sequence }) => sequence === null))
    problems.push(`${name} ${id} has no number`)
  problems.push(...findToldAgain(rows))
  return { says: `${rows.length} events are numbered without a gap, none twice.`, problems }
}

/**
 * The entries of one set have one time, and each event tells the state after its own entry. So an estimate that goes to
 * another time and back within a set is told twice with the same content, rightly: between the two stands an event that
 * told the other time. Without one, nothing had changed.
 */
export function findToldAgain(rows: readonly EventRow[]): readonly string[] {
  const themes = Map.groupBy(rows, ({ account_id: account, theme }) => `${account} ${theme}`)
  const again = [...themes.values()].flatMap((theme) => {
    const inOrder = theme.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
    return inOrder.filter((row, index) => inOrder[index - 1]?.natural_key === row.natural_key)
  })
  // A thing that happens once, and a row, are told once whatever is told between.
  const once = Map.groupBy(rows.filter(isOfOneHappening), (row) => `${row.account_id} ${row.natural_key}`)
  const repeated = [...once.values()].flatMap(([, ...later]) => later)
  return [...new Set([...again, ...repeated])].map(({ name, id }) => `told again under a new id: ${name} ${id}`)
}

/** Its natural key holds neither its content nor its time. */
function isOfOneHappening({ natural_key: key, theme }: EventRow): boolean {
  return !key.startsWith(theme)
}

/**
 * Every event that the webhook subscribes to must be delivered under one id, always with the same bytes, and the first
 * deliveries in the order of the shipment.
 */
export async function checkDeliveries(
  pool: Pool,
  told: { readonly webhookId: string; readonly deliveries: readonly Delivery[] },
): Promise<Report> {
  const { rows } = await pool.query<{
    readonly id: string
    readonly name: string
    readonly sequence: number
    readonly lane: string
    readonly isFirstUnanswered: boolean
    readonly notifications: readonly string[]
  }>(
    `select e.id, e.name, e.sequence, coalesce(e.shipment_id, e.tracking_request_id, e.id) as lane,
            exists (select from webhook_notifications n
                      join webhook_notification_logs l on l.account_id = n.account_id and l.notification_id = n.id
                     where n.account_id = e.account_id and n.event_id = e.id and n.webhook_id = w.id
                       and l.attempt = 1 and l.status_code is null) as "isFirstUnanswered",
            array(select n.id from webhook_notifications n
                   where n.account_id = e.account_id and n.event_id = e.id and n.webhook_id = w.id) as notifications
       from events e join webhooks w on w.account_id = e.account_id and w.id = $1 and e.name = any(w.events)
      order by e.sequence`,
    [told.webhookId],
  )
  const expected = new Map(rows.flatMap((row) => row.notifications.map((id) => [id, row] as const)))
  const byId = Map.groupBy(told.deliveries, ({ id }) => id)
  const problems = rows.flatMap(({ sequence, name, notifications }) =>
    notifications.length === 1 ? [] : [`event ${sequence} (${name}) has ${notifications.length} notifications`],
  )
  for (const [id, { name, sequence }] of expected)
    if (!byId.has(id)) problems.push(`event ${sequence} (${name}) was never delivered: ${id}`)
  for (const [id, same] of byId) {
    const [first] = same
    if (!expected.has(id)) problems.push(`${first?.event} ${id} was delivered and is no event`)
    if (same.some(({ body }) => first?.body.equals(body) === false))
      problems.push(`${id} was delivered with different bytes`)
    if (same.some(({ isSigned }) => !isSigned)) problems.push(`${id} was delivered without a good signature`)
  }
  problems.push(...findDisorder([...byId.keys()].flatMap((id) => expected.get(id) ?? [])))
  const repeats = told.deliveries.length - byId.size
  return {
    says: `${byId.size} of ${expected.size} events were delivered, each under one id with the same signed bytes; ${repeats} more than once.`,
    problems,
  }
}

/**
 * Checks the order of first deliveries: within a lane, no smaller number may come after a larger one, unless the first
 * attempt of the smaller one got no answer: it may have ended on its way.
 */
function findDisorder(
  firsts: readonly {
    readonly lane: string
    readonly sequence: number
    readonly name: string
    readonly isFirstUnanswered: boolean
  }[],
): readonly string[] {
  const last = new Map<string, number>()
  return firsts.flatMap(({ lane, sequence, name, isFirstUnanswered }) => {
    const before = last.get(lane) ?? 0
    last.set(lane, Math.max(before, sequence))
    return sequence < before && !isFirstUnanswered
      ? [`event ${sequence} (${name}) was first delivered after event ${before} of the same shipment`]
      : []
  })
}

/** Each look must be folded exactly once for each request that it concerns, whatever was killed or waited meanwhile. */
export async function checkEntries(pool: Pool): Promise<Report> {
  const { rows } = await pool.query<{
    readonly request: string
    readonly look: string
    readonly times: number
  }>(
    `select tracking_request_id as request, payload ->> 'look' as look, count(*)::int as times
       from ledger where kind = 'look' and payload ? 'look' group by account_id, 1, 2`,
  )
  return {
    says: `${rows.length} answers were folded, each once for a request.`,
    problems: rows.flatMap(({ request, look, times }) =>
      times === 1 ? [] : [`look ${look} was folded ${times} times for request ${request}`],
    ),
  }
}

/** No milestone may exist twice, no statement may stand at two places, and no work may be stuck. */
export async function checkStates(pool: Pool): Promise<Report> {
  const { rows: twice } = await pool.query<{
    readonly event: string
    readonly container_id: string
    readonly times: number
  }>(
    `select event, container_id, count(*)::int as times from transport_events
      where invalidated_at is null and milestone is not null
      group by account_id, container_id, event, call_key having count(*) > 1`,
  )
  const { rows: split } = await pool.query<{
    readonly event: string
    readonly container_id: string
    readonly places: readonly string[]
  }>(
    `select event, container_id, array_agg(coalesce(unlocode, 'nowhere') order by created_at, id) as places
       from transport_events where invalidated_at is null and milestone is not null
      group by account_id, container_id, event, milestone ->> 'claimId'
     having count(distinct split_part(call_key, '/', 1)) > 1`,
  )
  const { rows: counts } = await pool.query<Record<string, number>>(
    `select (select count(*) from tracking_requests)::int as requests,
            (select count(*) from shipments)::int as shipments,
            (select count(*) from containers)::int as containers,
            (select count(*) from transport_events)::int as told,
            (select count(*) from kept_snapshots)::int as snapshots,
            (select count(*) from looks)::int as looks,
            (select count(*) from tasks)::int as tasks,
            (select count(*) from tracking_requests where status = 'pending')::int as pending`,
  )
  const { requests, shipments, containers, told, snapshots, looks, tasks, pending } = counts[0] ?? {}
  return {
    says: `${requests} requests, ${shipments} shipments, ${containers} containers, ${told} transport events, ${looks} looks, ${snapshots} snapshots; none hangs.`,
    problems: [
      ...twice.map(({ event, container_id: id, times }) => `${event} stands ${times} times for container ${id}`),
      ...split.map(
        ({ event, container_id: id, places }) =>
          `one statement stands as ${event} for container ${id} at ${places.join(' and ')}`,
      ),
      ...(tasks === 0 ? [] : [`${tasks} tasks were never done`]),
      ...(pending === 0 ? [] : [`${pending} requests are still pending`]),
    ],
  }
}
