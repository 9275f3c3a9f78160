/**
 * Old answers in packs: the room that they take, how fast they are packed, and what reading one costs. The answers are
 * those that lines send of a journey as it goes on.
 */

import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Service } from '../src/modules/service.ts'
import { openSnapshots } from '../src/pipeline/response-archive/open-snapshots.ts'
import { packAll, readPackSums } from '../src/pipeline/response-archive/operate-packs.ts'
import { getSnapshots } from '../src/pipeline/response-archive/snapshots-sql.ts'
import { realClock } from '../src/platform/clock.ts'
import { openInstallation, storeSnapshot, track } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { type Figure, median, progress, secondsOf } from './measure.ts'

const shipments = 400
const versions = 16
const reads = 400
const zstd = promisify(zstdCompress)

export async function benchPacks(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service, postgres } = installation
  const { pool } = service
  try {
    progress(`packs: ${shipments} shipments with ${versions} answers each`)
    const tracked = await track(installation, await installation.newAccount(), makeShipments(shipments, 2))
    for (let version = 0; version < versions; version += 1)
      for (const each of tracked) await storeSnapshot(installation, each, version)
    await pool.query('vacuum full analyze kept_snapshots')
    const rowBytes = await sizeOf()
    const bodies = await bodiesOfSubjects(service)
    const answers = bodies.flat().length
    const unpackedMs = await readEach(service)

    const bestBytes = await compressAll(bodies, 19)
    const limitSeconds = await secondsOf(() => compressAll(bodies, 9))
    const later = {
      ...service,
      clock: { ...realClock, now: () => realClock.now() + 40 * 86_400_000 },
    }
    const seconds = await secondsOf(() => packAll(later, { again: true, made: () => {} }))
    const { snapshots, databaseBytes, bodyBytes } = await readPackSums(service)
    if (snapshots !== answers) throw new Error(`${snapshots} of ${answers} answers were packed`)
    await pool.query('vacuum full analyze kept_snapshots')
    const emptyRowBytes = await sizeOf()
    const packedMs = await readEach(service)

    const room = (emptyRowBytes + databaseBytes) / answers
    const note = `${answers} answers of ${Math.round(bodyBytes / answers)} bytes; ${Math.round(rowBytes / answers)} bytes each in the database before`
    const figures: readonly Omit<Figure, 'bench' | 'postgres'>[] = [
      {
        what: 'Room of an answer in the database, packed',
        unit: 'bytes',
        figure: room,
        limit: { what: 'the same before it was packed', value: rowBytes / answers },
        ratio: room / (rowBytes / answers),
        aim: 'at most 0.4 of it',
        isMet: room <= 0.4 * (rowBytes / answers),
        note: `${note}; ${Math.round(emptyRowBytes / answers)} bytes of it are the row that stays`,
      },
      {
        what: 'Room of the content of an answer in a pack',
        unit: 'bytes',
        figure: databaseBytes / answers,
        limit: {
          what: 'Zstandard at level 19, all answers of a number together',
          value: bestBytes / answers,
        },
        ratio: databaseBytes / bestBytes,
        aim: 'at most 1.5 times it',
        isMet: databaseBytes <= 1.5 * bestBytes,
        note,
      },
      {
        what: 'Answers packed, each read back before its row loses it',
        unit: 'answers/s',
        figure: answers / seconds,
        limit: { what: 'the same bytes compressed and nothing else', value: answers / limitSeconds },
        ratio: limitSeconds / seconds,
        aim: 'at least 0.15 of it',
        isMet: limitSeconds / seconds >= 0.15,
        note: 'from the table, and into it again, in transactions of one pack',
      },
      {
        what: 'An answer read from a pack, its frame not in memory',
        unit: 'ms',
        figure: packedMs,
        limit: { what: 'the same read from its row', value: unpackedMs },
        ratio: packedMs / unpackedMs,
        aim: 'at most 10 times it',
        isMet: packedMs <= 10 * unpackedMs,
        note: `median of ${reads}`,
      },
    ]
    return figures.map((figure) => ({ bench: 'packs', ...figure, postgres }))
  } finally {
    await installation.close()
  }

  async function sizeOf(): Promise<number> {
    const { rows } = await pool.query<{ bytes: string }>(
      `select pg_total_relation_size('kept_snapshots')::text as bytes`,
    )
    return Number(rows[0]?.bytes)
  }
}

async function bodiesOfSubjects({ pool }: Service): Promise<readonly (readonly Buffer[])[]> {
  const { rows } = await pool.query<{ subject: string; body: Buffer }>(
    'select subject_id as subject, body from kept_snapshots order by subject_id, id',
  )
  return [...Map.groupBy(rows, ({ subject }) => subject).values()].map((of) => of.map(({ body }) => body))
}

async function compressAll(subjects: readonly (readonly Buffer[])[], level: number): Promise<number> {
  let bytes = 0
  for (const bodies of subjects)
    bytes += (await zstd(Buffer.concat(bodies), { params: { [constants.ZSTD_c_compressionLevel]: level } })).length
  return bytes
}

/** Of one answer at a time, by a process that has none in memory. */
async function readEach(service: Service): Promise<number> {
  const { pool } = service
  const { rows } = await pool.query<{ id: string }>({
    text: 'select id from kept_snapshots order by md5(id::text) limit $1',
    values: [reads],
  })
  const times: number[] = []
  for (const { id } of rows)
    times.push(
      (await secondsOf(async () =>
        openSnapshots({ ...service, encryption: { ...service.encryption } }, pool, await getSnapshots(pool, [id])),
      )) * 1_000,
    )
  return median(times)
}
