/** What lines stated to one account about the calls of a ship that has containers of this account on board. */

import type { Db } from '../../db/database.ts'
import type { StatedCall } from '../../domain/vessels/voyage-ahead.ts'
import { aboard } from './vessels-with-containers-sql.ts'

/** Active claims about these containers, or about their shipment. A claim may name no ship. */
export async function findStatedCalls(
  db: Db,
  of: { readonly accountId: string; readonly imo: string },
): Promise<readonly StatedCall[]> {
  const { rows } = await db.query<StatedCall>({
    name: 'told_calls_of_ship',
    text: `with boxes as materialized (
             select distinct c.shipment_id, c.number from containers c
              where c.account_id = $1 and c.status = 'on_ship' and ${aboard} = $2
           ), subjects as (
             select distinct b.shipment_id, r.subject_id
               from boxes b
               join tracking_requests r on r.account_id = $1 and r.shipment_id = b.shipment_id
           )
           select distinct o ->> 'code' as code, o ->> 'classifier' as classifier,
                  o #>> '{place,unlocode}' as unlocode, o #>> '{place,timeZone}' as "timeZone", o -> 'time' as time,
                  o #>> '{vessel,imo}' as "vesselImo", k.source_code as "sourceCode",
                  coalesce((o ->> 'statedAt')::timestamptz, k.recorded_at) as "saidAt"
             from subjects s
             join claims k on k.account_id = $1 and k.subject_id = s.subject_id
            cross join lateral (select k.observation as o) said
            where k.retired_at is null and k.source_kind = 'shipping_line'
              and o ->> 'kind' = 'event' and o ->> 'code' in ('ARRI', 'DEPA')
              and coalesce(o ->> 'mode', 'VESSEL') = 'VESSEL' and o #>> '{place,unlocode}' is not null
              and (k.equipment is null
                   or exists (select from boxes b where b.shipment_id = s.shipment_id and b.number = k.equipment))`,
    values: [of.accountId, of.imo],
  })
  return rows
}
