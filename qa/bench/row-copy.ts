/**
 * The limit of the ingest benchmark: the rows that one round of the pipeline wrote are read, and inserted again into
 * empty tables of the same shape. Only rows with new content count. A mark that a claim was seen again does not.
 */

import pg from 'pg'
import { inTransaction } from '../../src/db/database.ts'
import type { Installation } from './installation.ts'

export interface RowCopy {
  /** From now on, rows belong to the next round. */
  readonly mark: () => Promise<void>
  /** Reads the rows that were written since the mark, grouped by the pipeline's transactions. */
  readonly read: () => Promise<{ readonly rows: number; readonly transactions: number }>
  readonly empty: () => Promise<void>
  /**
   * Inserts the rows that were read last: one transaction for each transaction of the pipeline, `hands` of them at the
   * same time.
   */
  readonly write: (hands: number) => Promise<void>
  readonly close: () => Promise<void>
}

interface CopiedTable {
  readonly name: string
  /**
   * Selects the rows of the account ($1) that were written since the mark ($2). The column with the shipment must be
   * named `of_shipment`.
   */
  readonly written: string
}

const tables: readonly CopiedTable[] = [
  {
    name: 'ledger',
    written: 'select t.*, t.shipment_id as of_shipment from ledger t where account_id = $1 and recorded_at >= $2',
  },
  {
    name: 'claims',
    written: `select t.*, r.shipment_id as of_shipment from claims t join tracking_requests r using (account_id, subject_id)
               where t.account_id = $1 and t.recorded_at >= $2`,
  },
  {
    name: 'tracking_requests',
    written:
      'select t.*, t.shipment_id as of_shipment from tracking_requests t where account_id = $1 and updated_at >= $2',
  },
  {
    name: 'shipments',
    written: 'select t.*, t.id as of_shipment from shipments t where account_id = $1 and updated_at >= $2',
  },
  {
    name: 'containers',
    written: 'select t.*, t.shipment_id as of_shipment from containers t where account_id = $1 and updated_at >= $2',
  },
  {
    name: 'transport_events',
    written:
      'select t.*, t.shipment_id as of_shipment from transport_events t where account_id = $1 and created_at >= $2',
  },
  {
    name: 'events',
    written: 'select t.*, t.shipment_id as of_shipment from events t where account_id = $1 and created_at >= $2',
  },
]

interface Insert {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

export async function openRowCopy({ service, databaseUrl }: Installation, accountId: string): Promise<RowCopy> {
  // Values are read as the text that the server sends and written back unchanged. Nothing is parsed.
  const types = { getTypeParser: () => (text: unknown) => text } as unknown as pg.CustomTypesConfig
  const reader = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c timezone=UTC', types })
  reader.on('error', () => {}) // a connection that is still closing when the cluster stops
  await reader.query('create schema limits')
  for (const { name } of tables) await reader.query(`create table limits.${name} (like public.${name} including all)`)
  const reckoned = await reader.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and is_generated = 'ALWAYS'`,
  )
  const generated = new Set(reckoned.rows.map(({ name }) => name))
  let since = ''
  let transactions: readonly (readonly Insert[])[] = []
  return {
    mark: async () => {
      since = new Date(service.journeyClock(false).now()).toISOString()
    },
    read: async () => {
      const byShipment = new Map<string, Insert[]>()
      let rows = 0
      for (const table of tables) {
        const result = await reader.query<Record<string, unknown>>(table.written, [accountId, since])
        const names = result.fields
          .map(({ name }) => name)
          .filter((name) => name !== 'of_shipment' && !generated.has(`${table.name}.${name}`))
        rows += result.rows.length
        for (const [shipment, written] of Map.groupBy(result.rows, (row) => String(row['of_shipment']))) {
          byShipment.set(shipment, [...(byShipment.get(shipment) ?? []), insertOf(table.name, names, written)])
        }
      }
      transactions = [...byShipment.values()]
      return { rows, transactions: transactions.length }
    },
    empty: async () => {
      await reader.query(`truncate ${tables.map(({ name }) => `limits.${name}`).join(', ')}`)
    },
    write: async (hands) => {
      const queue = transactions.values()
      await Promise.all(
        Array.from({ length: hands }, async () => {
          for (const inserts of queue) {
            await inTransaction(service.pool, async (db) => {
              for (const insert of inserts) await db.query(insert)
            })
          }
        }),
      )
    },
    close: async () => {
      await reader.query('drop schema limits cascade')
      await reader.end()
    },
  }
}

function insertOf(table: string, names: readonly string[], rows: readonly Record<string, unknown>[]): Insert {
  const places = rows.map((_, row) => `(${names.map((_, column) => `$${row * names.length + column + 1}`).join(', ')})`)
  return {
    name: `limit_${table}_${rows.length}`,
    text: `insert into limits.${table} (${names.join(', ')}) overriding system value values ${places.join(', ')}`,
    values: rows.flatMap((row) => names.map((name) => row[name])),
  }
}
