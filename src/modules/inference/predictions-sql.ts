/**
 * What was predicted before the line was known: the latest prediction for each number of an account, limited in age and
 * count.
 */

import type { Db } from '../../db/database.ts'

export interface Prediction {
  readonly accountId: string
  readonly number: string
  /** The likeliest line, chosen or not. */
  readonly scac: string
  /** All SCACs with which the prediction would be right. */
  readonly carrier: readonly string[]
  readonly confidence: number
  readonly decision: string
  readonly numberType: string
  readonly nodes: readonly string[]
  readonly predictedAt: string
}

/**
 * At most one prediction for each number of an account. When the line was known before, nothing is written. When the
 * outcome came while the prediction waited to be written, the outcome confirms it.
 */
export async function putPredictions(db: Db, predictions: readonly Prediction[]): Promise<void> {
  await db.query({
    name: 'inference_predictions_put',
    text: `insert into inference_predictions
             (account_id, number, scac, confidence, decision, number_type, nodes, predicted_at, confirmed_scac,
              is_right, confirmed_at)
           select p."accountId", p.number, p.scac, p.confidence, p.decision, p."numberType",
                  array(select jsonb_array_elements_text(p.nodes)), p."predictedAt", o.scac, p.carrier ? o.scac,
                  o.confirmed_at
             from jsonb_to_recordset($1::jsonb)
               as p ("accountId" uuid, number text, scac text, carrier jsonb, confidence real, decision text,
                     "numberType" text, nodes jsonb, "predictedAt" timestamptz)
             left join lateral (
               select scac, confirmed_at from inference_outcomes
                where account_id = p."accountId" and number = p.number and weight > 0
                order by confirmed_at limit 1) o on true
            where o.confirmed_at is null or o.confirmed_at >= p."predictedAt"
            order by p."accountId", p.number
           on conflict (account_id, number)
           do update set scac = excluded.scac, confidence = excluded.confidence, decision = excluded.decision,
                         number_type = excluded.number_type, nodes = excluded.nodes,
                         predicted_at = excluded.predicted_at, confirmed_scac = excluded.confirmed_scac,
                         is_right = excluded.is_right, confirmed_at = excluded.confirmed_at
                   where inference_predictions.confirmed_at is null`,
    values: [JSON.stringify(predictions)],
  })
}

/**
 * Deletes predictions that are older than the retention time, and the oldest ones of an account that has more than the
 * maximum.
 */
export async function dropPredictions(
  db: Db,
  retention: {
    readonly since: string
    readonly sandboxSince: string
    readonly perAccount: number
    readonly limit: number
  },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'inference_predictions_drop',
    text: `delete from inference_predictions p
            where (p.account_id, p.number) in (
              select account_id, number
                from (select q.account_id, q.number, q.predicted_at,
                             case when a.is_fiction then $2::timestamptz else $1::timestamptz end as since,
                             row_number() over (partition by q.account_id order by q.predicted_at desc) as place
                        from inference_predictions q join accounts a on a.id = q.account_id) aged
               where aged.predicted_at < aged.since or aged.place > $3
               limit $4)`,
    values: [retention.since, retention.sandboxSince, retention.perAccount, retention.limit],
  })
  return rowCount ?? 0
}

/**
 * How often automatic choices of a line were right, for each node of the model. `node` is `*` for the line as a whole.
 */
export interface NodeRecord {
  readonly isSandbox: boolean
  readonly node: string
  readonly scac: string
  readonly cases: number
  readonly right: number
}

const nodeRecords = `select a.is_fiction as "isSandbox", n.node, p.scac, count(*) as cases,
       count(*) filter (where p.is_right) as right
  from inference_predictions p
  join accounts a on a.id = p.account_id
 cross join lateral unnest(p.nodes || '*'::text) as n (node)`
/** Only groups with a mistake: where all choices were right, there is nothing to watch. */
const withMistakes = `group by a.is_fiction, n.node, p.scac having count(*) >= $1 and bool_or(not p.is_right)`

/** Of all accounts that share, for predictions confirmed after these times. */
export async function readNodeRecords(
  db: Db,
  of: { readonly casesMin: number; readonly since: string; readonly sandboxSince: string },
): Promise<readonly NodeRecord[]> {
  const { rows } = await db.query<NodeRecord>({
    name: 'inference_drift_of_all',
    text: `${nodeRecords}
            where p.decision = 'auto_select' and a.shares_outcomes
              and p.confirmed_at > case when a.is_fiction then $3::timestamptz else $2::timestamptz end
            ${withMistakes}`,
    values: [of.casesMin, of.since, of.sandboxSince],
  })
  return rows
}

export async function readNodeRecordsOfAccount(
  db: Db,
  of: { readonly accountId: string; readonly casesMin: number; readonly since: string },
): Promise<readonly NodeRecord[]> {
  const { rows } = await db.query<NodeRecord>({
    name: 'inference_drift_of_account',
    text: `${nodeRecords}
            where p.account_id = $3 and p.decision = 'auto_select' and p.confirmed_at > $2
            ${withMistakes}`,
    values: [of.casesMin, of.since, of.accountId],
  })
  return rows
}

/** How many predictions are alike. `band` is the tenth of confidence in which they lie, 0 to 9. */
export interface PredictionCount {
  readonly decision: string
  readonly numberType: string
  readonly scac: string
  readonly band: number
  readonly cases: number
  readonly confirmed: number
  readonly right: number
  /** Sum of the confidence of the confirmed ones. */
  readonly confidence: number
}

const counts = `p.decision, p.number_type as "numberType", p.scac,
  least(9, floor(p.confidence * 10))::integer as band, count(*) as cases,
  count(p.confirmed_at) as confirmed, count(*) filter (where p.is_right) as right,
  coalesce(sum(p.confidence) filter (where p.confirmed_at is not null), 0)::float8 as confidence`

export async function countPredictions(
  db: Db,
  of: { readonly accountId: string },
): Promise<readonly PredictionCount[]> {
  const { rows } = await db.query<PredictionCount>({
    name: 'inference_predictions_count',
    text: `select ${counts} from inference_predictions p where p.account_id = $1
            group by p.decision, p.number_type, p.scac, band
            order by p.decision, p.number_type, p.scac, band`,
    values: [of.accountId],
  })
  return rows
}

/** Of all accounts that share: real ones, or those of the sandbox. */
export async function countPredictionsOfAll(
  db: Db,
  of: { readonly isSandbox: boolean },
): Promise<readonly PredictionCount[]> {
  const { rows } = await db.query<PredictionCount>({
    name: 'inference_predictions_count_all',
    text: `select ${counts}
             from inference_predictions p join accounts a on a.id = p.account_id
            where a.is_fiction = $1 and a.shares_outcomes
            group by p.decision, p.number_type, p.scac, band
            order by p.decision, p.number_type, p.scac, band`,
    values: [of.isSandbox],
  })
  return rows
}

/** How many sharing accounts have confirmed predictions. With fewer than three accounts, no figures are shown. */
export async function countPredictedAccounts(db: Db, of: { readonly isSandbox: boolean }): Promise<number> {
  const { rows } = await db.query<{ accounts: number }>({
    name: 'inference_predictions_accounts',
    text: `select count(distinct p.account_id) as accounts
             from inference_predictions p join accounts a on a.id = p.account_id
            where a.is_fiction = $1 and a.shares_outcomes and p.confirmed_at is not null`,
    values: [of.isSandbox],
  })
  return rows[0]?.accounts ?? 0
}
