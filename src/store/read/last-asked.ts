/**
 * When the line of a shipment was last asked. Its subjects may lie on another machine than what belongs to the account,
 * so they are read once the rows of the account are found (docs/decisions/0046).
 */

/** SQL: the subjects that are asked for a shipment, as the column `subject_ids`. The statement's first value is the account. */
export function subjectIdsOf(shipmentId: string): string {
  return `array(select t.subject_id from tracking_requests t
                 where t.account_id = $1 and t.shipment_id = ${shipmentId}) as subject_ids`
}

/** SQL: joins `l` to found rows that have `subject_ids`. */
export function lastAskedOf(alias: string): string {
  return `left join lateral (
    select max(u.last_attempted_at) as attempted_at, max(u.last_succeeded_at) as succeeded_at
      from subjects u where u.id = any(${alias}.subject_ids)) l on true`
}

/** SQL, with `lastAskedOf`: as `LastAskedJson`. */
export const lastAskedJson = 'json_build_array(l.attempted_at, l.succeeded_at)'

export type LastAskedJson = readonly [attemptedAt: string | null, succeededAt: string | null]
