/** Fills in, by SQL, what follows from journeys: transport events, claims, notifications and parties. */

import type { PoolClient } from 'pg'

export const eventTables = [
  'transport_events',
  'claims',
  'events',
  'webhook_notifications',
  'webhook_notification_logs',
  'parties',
]
/** A value for columns of things that only people change. */
export const lastChangedBy = `'{"actor": {"type": "system", "id": null}, "at": "2026-06-01T00:00:00.000Z"}'`
export const scaleWebhook = '7f000000-0000-4000-8000-0000000000ee'

/** SQL: an id of version 8; one of version 7 would tell a time. */
export const idOf = (kind: string, n = 'n'): string =>
  `overlay(md5($1::uuid::text || '${kind}' || ${n}) placing '8' from 13 for 1)::uuid`
const at = `timestamptz '2026-06-01' - ($2::integer - n) * interval '30 seconds'`
/** One event in a thousand is of the rare kind. */
const name = `case when n % 1000 = 0 then 'container.created' else 'container.transport.vessel_arrived' end`
/** The newest notifications are pending, and one in five hundred has failed. */
const status = `case when n > $2::integer - 50 then 'pending' when n % 500 = 0 then 'failed' else 'succeeded' end`

/**
 * Three transport events and one domain event for each container, three claims for each shipment, one notification for
 * each event.
 */
export async function fillEvents(
  client: PoolClient,
  accountId: string,
  containers: number,
  template: string,
): Promise<void> {
  await client.query(
    `insert into transport_events (account_id, id, shipment_id, container_id, event, call_key, occurs_at, time_zone, unlocode,
                                   vessel_imo, vessel_name, data_source, milestone, created_at)
     select $1::uuid, ${idOf('t', `(n || '-' || p.place)`)}, ${idOf('s', '(n + 1) / 2')}, ${idOf('c')}, p.event, p.call_key, p.occurs_at,
            p.time_zone, p.unlocode, p.vessel_imo, p.vessel_name, p.data_source, p.milestone, ${at}
       from (select *, row_number() over (order by occurs_at, id) as place from transport_events
              where account_id = $3 and container_id = (select id from containers where account_id = $3 limit 1) limit 3) p,
            generate_series(1, $2::integer) as n`,
    [accountId, containers, template],
  )
  await client.query(
    `insert into claims (account_id, id, shipment_id, source_kind, source_code, source_key, equipment, observation, reader, read_at, recorded_at)
     select $1::uuid, ${idOf('m', `(n || '-' || p.place)`)}, ${idOf('s')}, p.source_kind, p.source_code, p.source_key,
            null, p.observation, p.reader, ${at}, ${at}
       from (select *, row_number() over (order by recorded_at, id) as place from claims
              where account_id = $3 and observation ->> 'kind' = 'event' limit 3) p,
            generate_series(1, $2::integer / 2) as n`,
    [accountId, containers, template],
  )
  await client.query(
    `insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, container_id, payload, created_at)
     select $1::uuid, ${idOf('e')}, n, ${name}, p.reference_type, ${idOf('t', `(n || '-1')`)},
            ${idOf('s', '(n + 1) / 2')}, ${idOf('c')}, p.payload, ${at}
       from (select * from events where account_id = $3 and name like 'container.transport.%' order by id limit 1) p,
            generate_series(1, $2::integer) as n`,
    [accountId, containers, template],
  )
  await client.query(
    `insert into event_counters (account_id, last_sequence) values ($1, $2)
     on conflict (account_id) do update set last_sequence = excluded.last_sequence`,
    [accountId, containers],
  )
  await client.query(
    `insert into webhooks (account_id, id, url, is_active, events, created_at, updated_at)
     values ($1, $2, 'https://example.com/hook', true, '{}', now(), now())`,
    [accountId, scaleWebhook],
  )
  await client.query(
    `insert into webhook_notifications (account_id, id, webhook_id, event_id, event, sequence, lane_id, delivery_status, attempts, created_at)
     select $1::uuid, ${idOf('w')}, $3, ${idOf('e')}, ${name}, n, ${idOf('s', '(n + 1) / 2')}, ${status}, 1, ${at}
       from generate_series(1, $2::integer) as n`,
    [accountId, containers, scaleWebhook],
  )
  await client.query(
    `insert into webhook_notification_logs (account_id, notification_id, id, attempt, status_code, duration_ms, created_at)
     select $1::uuid, ${idOf('w')}, ${idOf('g')}, 1, 200, 12, ${at} from generate_series(1, $2::integer) as n`,
    [accountId, containers],
  )
  await client.query(
    `insert into parties (account_id, id, company_name, created_at, updated_at, last_changed_by)
     select $1::uuid, ${idOf('p')}, 'Company ' || abs(hashtext(n::text)) % 1000000, ${at}, ${at}, ${lastChangedBy} from generate_series(1, $2::integer / 10) as n`,
    [accountId, containers],
  )
}
