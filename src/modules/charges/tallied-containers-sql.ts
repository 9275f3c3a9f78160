/** Containers with their tallies, in order of their ids, for sums over a shipment, a customer or the whole account. */

import type { Db } from '../../db/database.ts'
import type { TagFilter } from '../../db/listing/add-labels.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import type { ContainerTally } from '../../domain/charges/tally.ts'
import type { Fee } from '../../domain/statements/observation.ts'

/** Null: no condition. */
export interface TalliedFilter {
  readonly containerId?: string | null
  readonly shipmentId: string | null
  readonly customerId: string | null
  /** One of the reference numbers of the container or of its shipment, complete, in any case. */
  readonly refNumber: string | null
  /** On its shipment. */
  readonly tags: TagFilter | null
}

export interface TalliedRow {
  readonly id: string
  readonly number: string
  readonly shipmentId: string
  /** Null: no terms count, or it was not tallied yet. */
  readonly tally: ContainerTally | null
  /** A statement is not in the tally yet. */
  readonly isStale: boolean
  /** That its terminal or railway names. Null while none has reported, and without `withFees`. */
  readonly fees: readonly Fee[] | null
}

const feesSql = `case when c.projection -> 'fees' <> '[]' or c.projection ->> 'available' is not null
                              or coalesce(c.projection #> '{saidBy,fees}', c.projection #> '{saidBy,fee}') is not null
                             then c.projection -> 'fees' end`

/** The statement has no name: it is planned for its own conditions. */
export async function readTalliedRows(
  db: Db,
  of: {
    readonly accountId: string
    readonly filter: TalliedFilter
    readonly after: string | null
    readonly limit: number
    /** They are in the projection, which is many times larger than the rest. */
    readonly withFees: boolean
  },
): Promise<readonly TalliedRow[]> {
  const { accountId, filter, after, limit } = of
  const conditions = makeConditions('c', accountId)
  const shipment = 'exists (select from shipments s where s.account_id = $1 and s.id = c.shipment_id and'
  conditions.add(sql`c.id = ${filter.containerId}`)
  conditions.add(sql`c.shipment_id = ${filter.shipmentId}`)
  if (filter.customerId !== null)
    conditions.addText(`${shipment} s.customer_id = ${conditions.bind(filter.customerId)})`)
  if (filter.tags !== null) {
    const { tags, areAllNeeded } = filter.tags
    conditions.addText(`${shipment} s.tags ${areAllNeeded ? '@>' : '&&'} ${conditions.bind(tags)}::text[])`)
  }
  if (filter.refNumber !== null) {
    const text = conditions.bind(filter.refNumber)
    const has = (column: string) =>
      `exists (select from unnest(${column}) as r(number) where upper(r.number) = upper(${text}))`
    conditions.addText(`(${has('c.ref_numbers')} or ${shipment} ${has('s.ref_numbers')}))`)
  }
  conditions.add(sql`c.id > ${after}`)
  const { rows } = await db.query<TalliedRow>({
    text: `select c.id, c.number, c.shipment_id as "shipmentId", t.tally,
                  t.account_id is not null and (t.is_asked or t.tally is null) as "isStale",
                  c.fees
             from (select c.account_id, c.id, c.number, c.shipment_id, ${of.withFees ? feesSql : 'null'} as fees
                     from containers c
                    where ${conditions.texts.join(' and ')} order by c.id limit ${conditions.bind(limit)}) c
             left join charge_tallies t on t.account_id = c.account_id and t.container_id = c.id
            order by c.id`,
    values: [...conditions.values],
  })
  return rows
}

/** Whether containers may be without a tally because new terms have not reached them yet. */
export async function isSweeping(db: Db, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'charge_book_sweeping',
    text: `select from charge_books
            where account_id = $1 and sweep_at is not null and (sweeps_left > 1 or sweep_after is not null)`,
    values: [accountId],
  })
  return (rowCount ?? 0) > 0
}
