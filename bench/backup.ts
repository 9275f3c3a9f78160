/**
 * What a backup and a restore take, beside reading the same rows out of PostgreSQL and throwing them away, and how much
 * room containers take: in the database and in a backup. BENCH_CONTAINERS says how many (100000).
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSnapshot } from '../src/db/backup/backup-snapshot.ts'
import { restoreBackup } from '../src/modules/installation/restore-backup.ts'
import { writeBackup } from '../src/modules/installation/write-backup.ts'
import { readConfig } from '../src/platform/config.ts'
import { openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'
import { fillToScale } from './scale-fill.ts'

const containers = Number(process.env['BENCH_CONTAINERS'] ?? 100_000)
const rounds = 3
const passphrase = 'a passphrase for measuring'

export async function benchBackup(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const shelf = mkdtempSync(join(tmpdir(), 'landfall-bench-shelf-'))
  const { databaseUrl, postgres } = installation
  try {
    progress(`backup: ${containers.toLocaleString('en-US')} containers, half as many shipments and requests`)
    const { account } = await installation.newAccount()
    const { pool } = installation.service
    const emptyBytes = await sizeOf(pool)
    await fillToScale(installation, [{ accountId: account.id, containers }])
    const bytes = await sizeOf(pool)
    const config = (database: string) =>
      readConfig({
        DATABASE_URL: database,
        LANDFALL_DATA: join(shelf, 'data'),
        LANDFALL_SECRET: 'a secret for measuring that is long enough',
      })
    const fileOf = (round: number): string => join(shelf, `${round}.landfall`)
    let unpacked = 0
    const sides = await alternate(rounds, {
      ours: async (round) => {
        const seconds = await secondsOf(async () => {
          const { tables } = await writeBackup(config(databaseUrl), {
            database: databaseUrl,
            file: fileOf(round),
            passphrase,
            withSecrets: true,
            now: new Date(),
            settings: [],
            progress: () => {},
            signal: new AbortController().signal,
          })
          unpacked = tables.reduce((sum, table) => sum + table.bytes, 0)
        })
        return unpacked / 1e6 / seconds
      },
      limit: async () => {
        let read = 0
        const seconds = await secondsOf(async () => {
          read = await readAll(databaseUrl)
        })
        return read / 1e6 / seconds
      },
    })
    const restores: number[] = []
    await pool.query('create database bench_restored')
    for (let round = 0; round < rounds; round += 1) {
      const seconds = await secondsOf(() =>
        restoreBackup(config(databaseUrl.replace(/\/[^/]*$/, '/bench_restored')), {
          file: fileOf(0),
          passphrase,
          replaces: round > 0,
          now: new Date(),
          print: () => {},
          progress: () => {},
          onClose: () => {},
        }),
      )
      restores.push(unpacked / 1e6 / seconds)
      progress(`  restored in ${seconds.toFixed(1)} s`)
    }
    const common = { bench: 'backup', postgres, limit: null, ratio: null }
    const sizes = `${containers.toLocaleString('en-US')} containers; ${(unpacked / 1e6).toFixed(0)} MB of rows as text`
    return [
      {
        ...common,
        what: 'Rows backed up: read as of one moment, compressed, encrypted, forced to disk',
        unit: 'MB of rows/s',
        figure: median(sides.ours),
        limit: { what: 'the same rows read by COPY and thrown away', value: median(sides.limit) },
        ratio: medianRatio(sides),
        aim: 'more than 10 MB/s',
        isMet: median(sides.ours) > 10,
        note: `${rounds} rounds; ${spread(sides.ours)} against ${spread(sides.limit)}; ${sizes}; fsync on`,
      },
      {
        ...common,
        what: 'Rows restored: the file checked whole, then schema, rows, indexes and references in one transaction',
        unit: 'MB of rows/s',
        figure: median(restores),
        aim: 'more than 2 MB/s',
        isMet: median(restores) > 2,
        note: `${rounds} rounds; ${spread(restores)}; ${sizes}; fsync on`,
      },
      {
        ...common,
        what: 'Room in the database for each container with its share of shipments, requests, events and notifications',
        unit: 'bytes a container',
        figure: (bytes - emptyBytes) / containers,
        aim: 'measured',
        isMet: true,
        note: `${sizes}; indexes included, answers of carriers not; ${(emptyBytes / 1e6).toFixed(0)} MB without any`,
      },
      {
        ...common,
        what: 'Room in a backup for each container',
        unit: 'bytes a container',
        figure: statSync(fileOf(0)).size / containers,
        aim: 'measured',
        isMet: true,
        note: `${sizes}; the rows are made from a few templates and are packed better than real ones`,
      },
    ]
  } finally {
    await installation.close()
    rmSync(shelf, { recursive: true, force: true })
  }
}

type Pool = Awaited<ReturnType<typeof openInstallation>>['service']['pool']

async function sizeOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
  return rows[0]?.bytes ?? 0
}

async function readAll(database: string): Promise<number> {
  const snapshot = await openSnapshot(database)
  if (snapshot === null) throw new Error('there are no tables')
  let bytes = 0
  for (const table of snapshot.tables)
    for await (const piece of snapshot.copyOut(table)) bytes += (piece as Buffer).length
  await snapshot.close()
  return bytes
}
