/** Writes the changes of a state, many rows of each table in one statement. */

import type { Db } from '../../db/database.ts'
import { type ChangedRows, changedRows } from './changed-rows-sql.ts'
import { type FoldTableName, foldColumns } from './fold-rows-sql.ts'
import type { EntryYield, JourneyState } from './journey-state-sql.ts'
import type { LoadedState } from './load-states-sql.ts'

/**
 * One statement; none where nothing changed. Throws the error of the database (23505) when another transaction has made
 * the same shipment, or a live request of the same number, meanwhile. Of a request that is not locked only the timer is
 * written, and not even the timer while another transaction holds the request: that transaction decides on it already,
 * and waits for this shipment. With a generic plan, sixteen journeys among 100,000 are written by primary keys alone,
 * and no table is scanned.
 */
export async function saveStates(
  db: Db,
  write: {
    readonly before: LoadedState
    readonly after: JourneyState
    /** In the order in which their entries were folded. */
    readonly yields: readonly EntryYield[]
  },
): Promise<void> {
  const sets = inOrder(changedRows(write.before, write.after, write.yields))
  if (sets.every((rows) => rows.length === 0)) return
  await db.query({
    name: 'state_save',
    text: saveText,
    values: [write.after.accountId, ...sets.map((rows) => JSON.stringify(rows))],
  })
}

/** In the order in which `saveText` numbers them, from `$2` on. */
function inOrder(rows: ChangedRows): readonly ChangedRows['claims'][] {
  const { shipments, requests, containers, transportEvents } = rows
  return [
    shipments.made,
    shipments.changed,
    requests.ended,
    requests.changed,
    requests.made,
    requests.timers,
    containers.made,
    containers.changed,
    rows.claims,
    rows.issues,
    transportEvents.ended,
    transportEvents.made,
    rows.events,
  ]
}

function insertSql(name: FoldTableName, parameter: string): string {
  return `insert into ${name} (account_id, ${foldColumns[name]})
      select $1, ${foldColumns[name]}
        from jsonb_populate_recordset(null::${name}, ${parameter}::jsonb) with ordinality
       order by ordinality`
}

function updateSql(name: FoldTableName, parameter: string): string {
  const columns = foldColumns[name].split(/,\s+/).filter((column) => column !== 'id')
  return `update ${name} w set ${columns.map((column) => `${column} = t.${column}`).join(', ')}
        from jsonb_populate_recordset(null::${name}, ${parameter}::jsonb) t
       where w.account_id = $1 and w.id = t.id`
}

// Requests that ended are written before new requests of the same number. Counting their rows forces that order.
const saveText = `with shipments_made as (
      ${insertSql('shipments', '$2')}
    ), shipments_changed as (
      ${updateSql('shipments', '$3')}
    ), requests_ended as (
      ${updateSql('tracking_requests', '$4')}
      returning 1
    ), requests_changed as (
      ${updateSql('tracking_requests', '$5')} and (select count(*) from requests_ended) >= 0
      returning 1
    ), requests_made as (
      insert into tracking_requests (account_id, ${foldColumns.tracking_requests})
      select $1, ${foldColumns.tracking_requests}
        from jsonb_populate_recordset(null::tracking_requests, $6::jsonb) with ordinality
       where (select count(*) from requests_ended) + (select count(*) from requests_changed) >= 0
       order by ordinality
    ), requests_rung as (
      update tracking_requests w set timer_at = t.timer_at
        from (select r.id, k.timer_at
                from jsonb_to_recordset($7::jsonb) as k (id uuid, timer_at timestamptz)
                join tracking_requests r on r.account_id = $1 and r.id = k.id
                 for update of r skip locked) t
       where w.account_id = $1 and w.id = t.id
    ), containers_made as (
      ${insertSql('containers', '$8')}
    ), containers_changed as (
      ${updateSql('containers', '$9')}
    ), claims_said as (
      ${insertSql('claims', '$10')}
      on conflict (account_id, id)
      do update set retired_at = excluded.retired_at, missing_since = excluded.missing_since,
                    gone_snapshot_id = excluded.gone_snapshot_id, recorded_at = excluded.recorded_at,
                    read_at = excluded.read_at, reader = excluded.reader, stands_at = excluded.stands_at,
                    delivery_key = excluded.delivery_key
    ), issues_counted as (
      ${insertSql('issues', '$11')}
      on conflict (account_id, id)
      do update set times = issues.times + excluded.times, last_at = excluded.last_at, detail = excluded.detail,
                    page = excluded.page, path = excluded.path, lost = excluded.lost,
                    tracking_request_id = excluded.tracking_request_id
    ), transport_events_ended as (
      update transport_events w set invalidated_at = t.at
        from jsonb_to_recordset($12::jsonb) as t (id uuid, at timestamptz)
       where w.account_id = $1 and w.id = t.id
    ), transport_events_made as (
      ${insertSql('transport_events', '$13')}
    )
    ${insertSql('events', '$14')}`
