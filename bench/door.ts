/** Statements that partners send over HTTP, compared with plain inserts of the rows that they become. */

import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { type Db, inTransaction } from '../src/db/database.ts'
import { createApiApp } from '../src/server/app.ts'
import { benchManyParts } from './door-many.ts'
import { boxNumber } from './edi-load.ts'
import { type Installation, openBenchChannel, openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 5
const statements = 500
/** The tables that get new rows for each statement, in the order in which they refer to each other. */
const tables = ['inbound_messages', 'subjects', 'kept_snapshots', 'mentions', 'mention_numbers'] as const

export async function benchDoor(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const app = await createApiApp(installation.service)
  try {
    const { account } = await installation.newAccount()
    const { key } = await openBenchChannel(installation, account)
    return [await measure(installation, app, key), ...(await benchManyParts(installation, app))]
  } finally {
    await app.close()
    await installation.close()
  }
}

async function measure(installation: Installation, app: FastifyInstance, key: string): Promise<Figure> {
  const { service, databaseUrl } = installation
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v2/inbound/bench`
  const copy = await openCopy(databaseUrl)
  progress(`door: ${statements} statements a delivery`)
  let sent = 0
  const deliver = async (): Promise<void> => {
    sent += 1
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: bodyOf(sent),
    })
    const { items } = (await answer.json()) as { readonly items?: readonly { readonly result: string }[] }
    const taken = items?.filter(({ result }) => result === 'accepted').length
    if (answer.status !== 202 || taken !== statements)
      throw new Error(`${answer.status}: ${taken} statements were taken in`)
  }
  await deliver()
  await service.pool.query('vacuum analyze')
  await copy.read()
  try {
    const sides = await alternate(rounds, {
      ours: async () => statements / (await secondsOf(deliver)),
      limit: async () => {
        await copy.empty()
        return statements / (await secondsOf(() => inTransaction(service.pool, (db) => copy.write(db))))
      },
    })
    const ratio = medianRatio(sides)
    return {
      bench: 'door',
      what: 'Statements taken in at POST /v2/inbound/{channel}: checked, cut, kept and noted as speaking of their boxes',
      unit: 'statements/s',
      figure: median(sides.ours),
      limit: {
        what: 'plain multi-row inserts of the rows that they become, in one transaction',
        value: median(sides.limit),
      },
      ratio,
      aim: 'ratio at least 0.2',
      isMet: ratio >= 0.2,
      note: `${rounds} rounds of one delivery of ${statements} statements, ${bodyOf(1).length} bytes; ${spread(sides.ours)} against ${spread(sides.limit)}; fsync on`,
      postgres: installation.postgres,
    }
  } finally {
    await copy.close()
  }
}

/** A body with statements about boxes that were never mentioned before. */
function bodyOf(delivery: number): string {
  return Array.from({ length: statements }, (_, nth) =>
    JSON.stringify({
      id: `d${delivery}-${nth}`,
      written_at: '2026-03-09T10:00:00Z',
      container: boxNumber(delivery * statements + nth),
      bill: `BNCHBILL${delivery * statements + nth}`,
      says: 'vessel_discharged',
      at: '2026-03-08T10:00:00-08:00',
      place: 'USLAX',
    }),
  ).join('\n')
}

interface Copy {
  /** Reads the rows that the tables have now; `write` inserts these. */
  readonly read: () => Promise<void>
  readonly empty: () => Promise<void>
  readonly write: (db: Db) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens copies of the tables, with the same columns and indexes, in another schema. */
async function openCopy(databaseUrl: string): Promise<Copy> {
  // Values are read as the text that the server sends and written back unchanged.
  const types = { getTypeParser: () => (text: unknown) => text } as unknown as pg.CustomTypesConfig
  const reader = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c timezone=UTC', types })
  reader.on('error', () => {}) // a connection that is still closing when the cluster stops
  await reader.query('create schema limits')
  for (const name of tables) await reader.query(`create table limits.${name} (like public.${name} including all)`)
  const columnsOf = new Map<string, readonly string[]>()
  const rowsOf = new Map<string, readonly Record<string, unknown>[]>()
  return {
    read: async () => {
      for (const name of tables) {
        const { rows, fields } = await reader.query<Record<string, unknown>>(`select * from ${name}`)
        columnsOf.set(
          name,
          fields.map((field) => field.name),
        )
        rowsOf.set(name, rows)
      }
    },
    empty: async () => {
      await reader.query(`truncate ${tables.map((name) => `limits.${name}`).join(', ')}`)
    },
    write: async (db) => {
      for (const name of tables) {
        const columns = columnsOf.get(name) ?? []
        const rows = rowsOf.get(name) ?? []
        const places = rows.map(
          (_, row) => `(${columns.map((_, nth) => `$${row * columns.length + nth + 1}`).join(', ')})`,
        )
        const values = rows.flatMap((row) => columns.map((column) => row[column]))
        const text = `insert into limits.${name} (${columns.join(', ')}) values ${places.join(', ')}`
        await db.query({ text, values })
      }
    },
    close: async () => {
      await reader.query('drop schema limits cascade')
      await reader.end()
    },
  }
}
