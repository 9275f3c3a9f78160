/** How wrong estimates of arrival were for one account, by what they were made of and days ahead. */

import type { Db } from '../../db/database.ts'
import type { PastErrors } from '../../domain/vessels/eta-errors.ts'

/** Of this line; and of the ship's positions alone, those of all lines. */
export async function readPastErrors(
  db: Db,
  of: {
    readonly accountId: string
    readonly scac: string | null
    /** ISO instant. Arrivals before show how lines were, not how they are. */
    readonly since: string
    readonly rowsFrom: readonly number[]
  },
): Promise<readonly PastErrors[]> {
  const { rows } = await db.query<PastErrors>({
    name: 'past_eta_errors',
    text: `select o.kind as of, case when o.kind <> 'vessel' then $2 end as scac, r.days_from as "daysAheadMin",
                  count(distinct o.arrived_at)::int as arrivals,
                  percentile_cont(0.1) within group (order by o.error_hours) as p10,
                  percentile_cont(0.2) within group (order by o.error_hours) as p20,
                  percentile_cont(0.8) within group (order by o.error_hours) as p80,
                  percentile_cont(0.9) within group (order by o.error_hours) as p90
             from eta_outcomes o
            cross join lateral (select max(d) as days_from from unnest($3::real[]) d
                                 where d <= greatest(0, o.days_ahead)) r
            where o.account_id = $1 and o.arrived_at >= $4
              and (o.kind = 'vessel' or o.kind in ('line', 'own') and o.scac = $2)
            group by 1, 2, 3 order by 1, 3`,
    values: [of.accountId, of.scac, of.rowsFrom, of.since],
  })
  return rows
}
