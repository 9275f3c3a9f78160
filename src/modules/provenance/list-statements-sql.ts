/** What people stated about a container and did not withdraw: their claims, with reason and author from the ledger. */

import type { Db } from '../../db/database.ts'
import { type Page, type PageRequest, readCounted } from '../../db/listing/page.ts'
import type { FactName, FactValues } from '../../domain/statements/observation.ts'
import type { ActorType } from '../audit/audit-events-sql.ts'

export interface StatementReading {
  readonly type: 'statement'
  /** The id of the claim. */
  readonly id: string
  readonly containerId: string
  readonly key: string
  readonly says: FactName
  readonly value: FactValues[FactName]
  /** Journey clock. */
  readonly statedAt: string
  readonly reason: string | null
  /** False in the answer to the person who withdrew it. */
  readonly stands: boolean
  readonly by: { readonly kind: ActorType; readonly id?: string } | null
}

interface StatementQuery {
  readonly accountId: string
  readonly containerId: string
}

/** Last stated first. */
export async function readStatementPage(
  db: Db,
  { page, ...of }: StatementQuery & { readonly page: PageRequest },
): Promise<Page<StatementReading>> {
  return readCounted(page, (limit, offset) => readActiveStatements(db, { ...of, limit, offset }))
}

/** The id of one statement, or the fact whose last statement is wanted. */
export interface StatementSelector {
  readonly id?: string
  readonly says?: FactName
}

/** Null when it is not active. */
export async function findStatement(db: Db, of: StatementQuery & StatementSelector): Promise<StatementReading | null> {
  const [found] = await readActiveStatements(db, { ...of, limit: 1, offset: 0 })
  return found ?? null
}

type Row = StatementReading & { readonly ofAll: number }

/**
 * A delivery that was set back to null states nothing and is left out. Entries from before deliveries were ingested
 * have no id for it, so they are found by their moment.
 */
async function readActiveStatements(
  db: Db,
  of: StatementQuery & StatementSelector & { readonly limit: number; readonly offset: number },
): Promise<readonly Row[]> {
  const { rows } = await db.query<Row>({
    name: 'read_statements',
    text: `
      select 'statement' as type, cl.id, c.id as "containerId", cl.source_key as key,
             cl.observation ->> 'fact' as says, cl.observation -> 'value' as value,
             cl.recorded_at as "statedAt", l.payload ->> 'reason' as reason, l.payload -> 'actor' as by,
             true as stands, count(*) over () as "ofAll"
        from containers c
        join claims cl on cl.account_id = c.account_id and cl.shipment_id = c.shipment_id
         and cl.source_kind = 'user' and cl.retired_at is null and cl.equipment = c.number
        left join lateral (
          select e.payload from ledger e
           where e.account_id = c.account_id and e.shipment_id = c.shipment_id and e.kind in ('heard', 'user_action')
             and e.recorded_at = cl.recorded_at
             and (e.payload -> 'add' @> jsonb_build_array(jsonb_build_object('id', cl.id))
                  or (e.payload ->> 'containerId' = c.id::text and e.payload ? 'delivered'
                      and cl.observation ->> 'fact' = 'delivered'))
           order by e.position desc limit 1) l on true
       where c.account_id = $1 and c.id = $2 and ($3::uuid is null or cl.id = $3)
         and ($4::text is null or cl.observation ->> 'fact' = $4)
         and right(cl.source_key, length(c.number) + length(c.trip::text) + 2) = ' ' || c.number || '#' || c.trip
         and cl.observation -> 'value' <> 'null'::jsonb
       order by cl.recorded_at desc, cl.id desc
       limit $5 offset $6`,
    values: [of.accountId, of.containerId, of.id ?? null, of.says ?? null, of.limit, of.offset],
  })
  return rows
}
