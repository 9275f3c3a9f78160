/**
 * When the line of a shipment was last polled. Its poll targets may be stored on another machine than the data of the
 * account, so they are read once the rows of the account are found (docs/decisions/0046).
 */

/** SQL: the poll targets of a shipment, as the column `subject_ids`. The statement's first value is the account. */
export function pollTargetIdsSql(shipmentId: string): string {
  return `array(select t.subject_id from tracking_requests t
                 where t.account_id = $1 and t.shipment_id = ${shipmentId}) as subject_ids`
}

/** SQL: joins `l` to found rows that have `subject_ids`. */
export function lastPolledSql(alias: string): string {
  return `left join lateral (
    select max(u.last_attempted_at) as attempted_at, max(u.last_succeeded_at) as succeeded_at
      from subjects u where u.id = any(${alias}.subject_ids)) l on true`
}

/** SQL, with `lastPolledSql`: as `LastPolledJson`. */
export const lastPolledJson = 'json_build_array(l.attempted_at, l.succeeded_at)'

export type LastPolledJson = readonly [attemptedAt: string | null, succeededAt: string | null]
