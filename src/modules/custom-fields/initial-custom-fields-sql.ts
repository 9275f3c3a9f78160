/** Values of custom fields that came with a tracking request and wait until its shipment and containers exist. */

import type { Db } from '../../db/database.ts'
import type { FieldValue } from '../../domain/values/custom-field.ts'
import type { LastChangedBy } from '../audit/audit-events-sql.ts'

export const everyContainer = ''

export interface InitialField {
  /** Becomes the id of the value. */
  readonly id: string
  readonly definitionId: string
  /** Number of the container; null for the shipment, `everyContainer` for all containers that it has and will have. */
  readonly number: string | null
  readonly value: FieldValue
}

export async function insertInitialFields(
  db: Db,
  of: {
    readonly accountId: string
    readonly trackingRequestId: string
    readonly fields: readonly InitialField[]
    readonly by: LastChangedBy
  },
): Promise<void> {
  await db.query({
    name: 'initial_custom_fields_insert',
    text: `insert into initial_custom_fields
             (account_id, id, tracking_request_id, definition_id, number, value, created_at, last_changed_by)
           select $1, f.id, $2, f."definitionId", f.number, coalesce(f.value, 'null'), $4, $5
             from jsonb_to_recordset($3::jsonb) as f(id uuid, "definitionId" uuid, number text, value jsonb)`,
    values: [of.accountId, of.trackingRequestId, JSON.stringify(of.fields), of.by.at, JSON.stringify(of.by)],
  })
}

/**
 * Sets the waiting values on the shipment and on those of its containers that exist; of several trips under one number,
 * on the last one. A value that somebody has set meanwhile stays, and a value for a named container goes before one for
 * every container. A value that was given no longer waits, so that it does not come back when it is removed later. A
 * value for every container keeps waiting for the next container, and remembers those that have it.
 */
export async function applyInitialFields(
  db: Db,
  of: { readonly accountId: string; readonly trackingRequestId: string; readonly shipmentId: string },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'initial_custom_fields_settle',
    text: `with waiting as (
             select * from initial_custom_fields i where i.account_id = $1 and i.tracking_request_id = $2
           ), due as (
             select i.id, i.id as initial_id, case when i.number is null then $3 else c.id end as entity_id
               from waiting i
               left join lateral (
                 select k.id from containers k
                  where k.account_id = $1 and k.shipment_id = $3 and k.number = i.number
                  order by k.trip desc limit 1) c on true
              where i.number is null or c.id is not null
           ), spread as (
             select gen_random_uuid() as id, i.id as initial_id, k.id as entity_id
               from waiting i join containers k on k.account_id = $1 and k.shipment_id = $3
              where i.number = '' and k.id <> all(i.given_to)
           ), given as (
             insert into custom_fields
               (account_id, id, definition_id, entity_id, value, created_at, updated_at, last_changed_by)
             select $1, g.id, i.definition_id, g.entity_id, i.value, i.created_at, i.created_at, i.last_changed_by
               from (select *, 1 as turn from due union all select *, 2 from spread) g
               join waiting i on i.id = g.initial_id
              order by g.turn
             on conflict (account_id, entity_id, definition_id) do nothing
           ), remembered as (
             update initial_custom_fields i set given_to = i.given_to || s.entity_ids
               from (select initial_id, array_agg(entity_id) as entity_ids from spread group by initial_id) s
              where i.account_id = $1 and i.id = s.initial_id
           )
           delete from initial_custom_fields where account_id = $1 and id in (select initial_id from due)`,
    values: [of.accountId, of.trackingRequestId, of.shipmentId],
  })
  return rowCount ?? 0
}
