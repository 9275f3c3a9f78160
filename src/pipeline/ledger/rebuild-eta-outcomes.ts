/** The outcomes of estimates follow from what the ledger yields and from our own estimates: a rebuild makes them again. */

import type { Db } from '../../db/database.ts'
import { scoreShipments } from '../../modules/scorecards/score-etas.ts'
import { type RebuildDifference, scratch } from './rebuild-sql.ts'

const scoredAtOnce = 1_000
const key = 'account_id, shipment_id, kind, source_code, told_at'

/** Scores all shipments of the scratch copy. The session sees its tables first. */
export async function scoreScratch(db: Db): Promise<void> {
  await db.query({
    text: `create unlogged table ${scratch}.eta_outcomes (like public.eta_outcomes, primary key (${key}));
           create index on ${scratch}.claims (account_id, subject_id);
           create index on ${scratch}.claims (account_id, shipment_id);
           create index on ${scratch}.tracking_requests (account_id, shipment_id);
           create index on ${scratch}.containers (account_id, shipment_id);
           analyze ${scratch}.claims, ${scratch}.tracking_requests, ${scratch}.containers, ${scratch}.shipments`,
  })
  const { rows } = await db.query<{ accountId: string; shipmentIds: readonly string[] }>({
    text: `select account_id as "accountId", array_agg(id order by id) as "shipmentIds"
             from (select account_id, id, (row_number() over (partition by account_id order by id) - 1) / $1 as part
                     from ${scratch}.shipments where projection #>> '{portOfDischarge,ata}' is not null) s
            group by account_id, part`,
    values: [scoredAtOnce],
  })
  for (const [place, part] of rows.entries()) {
    await scoreShipments(db, part)
    // Without this, the planner reads all rows of the account for each part.
    if (place === 0) await db.query({ text: `analyze ${scratch}.eta_outcomes` })
  }
}

/** Without the shipments that wait to be scored. */
const different = `
  from public.eta_outcomes l full join ${scratch}.eta_outcomes r using (${key})
 where to_jsonb(l)::text is distinct from to_jsonb(r)::text
   and not exists (select from public.eta_outcomes_due d
                    where d.account_id = coalesce(l.account_id, r.account_id)
                      and d.shipment_id = coalesce(l.shipment_id, r.shipment_id))`

export async function compareEtaOutcomes(db: Db, limit: number): Promise<readonly RebuildDifference[]> {
  const { rows } = await db.query<RebuildDifference>({
    text: `select 'eta_outcomes' as table, concat_ws(' ', shipment_id, kind, source_code, told_at) as id,
                  case when l is null then 'missing' when r is null then 'unexpected' else 'different' end as kind,
                  array[]::text[] as columns ${different} limit $1`,
    values: [limit],
  })
  return rows
}

/** Leaves word for the worker that scores shipments, once the tables are as the ledger yields them. */
export async function repairEtaOutcomes(db: Db): Promise<void> {
  await db.query({
    text: `select public.note_etas_due(account_id, shipment_id)
             from (select distinct account_id, shipment_id ${different}) d`,
  })
}
