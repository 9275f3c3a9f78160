/**
 * How long the sums of an account's charges take, with BENCH_CONTAINERS containers (100,000), beside reading their
 * tallies and no more; and how many containers are tallied a second after new terms.
 */

import type { Pool } from '../src/db/database.ts'
import { chargeKinds } from '../src/domain/charges/terms.ts'
import { sweepTallies } from '../src/modules/charges/charge-tallies-sql.ts'
import { insertVersion } from '../src/modules/charges/charge-versions-sql.ts'
import { everyContainer, sumCharges } from '../src/modules/charges/sum-charges.ts'
import { tallyContainers } from '../src/modules/charges/tally-containers.ts'
import { benchBook, benchBoxes } from './charges-load.ts'
import { openInstallation } from './installation.ts'
import { type Figure, median, progress, rate, secondsOf } from './measure.ts'

const samples = 7
const aimSeconds = 5
const boxesAtOnce = 5_000

export async function benchChargeSums(): Promise<Figure> {
  const containers = Number(process.env['BENCH_CONTAINERS'] ?? 100_000)
  const installation = await openInstallation()
  try {
    const { service, postgres } = installation
    const context = await installation.newAccount()
    const accountId = context.account.id
    progress(`charge sums: ${containers} containers`)
    await fill(service.pool, { accountId, containers, now: new Date(service.clock.now()).toISOString() })
    const tallySeconds = await secondsOf(async () => {
      while ((await tallyContainers(service)) > 0);
    })
    await service.pool.query('vacuum analyze charge_tallies')
    const asked = {
      filter: everyContainer,
      until: null,
      after: null,
      limit: 100,
    }
    const [sums, reads]: [number[], number[]] = [[], []]
    for (let round = -1; round < samples; round += 1) {
      const summedIn = await secondsOf(async () => {
        const { all } = await sumCharges(service, context, asked)
        if (all?.containers !== containers || all.counted === 0) throw new Error('not all were summed up')
      })
      const readIn = await secondsOf(() => readTallies(service.pool, accountId))
      if (round < 0) continue
      sums.push(summedIn)
      reads.push(readIn)
    }
    const [figure, limit] = [median(sums), median(reads)]
    return {
      bench: 'charges',
      what: `Sums of the charges of ${containers.toLocaleString('en-US')} containers, one answer`,
      unit: 's',
      figure,
      limit: { what: 'reading their tallies', value: limit },
      ratio: figure / limit,
      aim: `within ${aimSeconds} s`,
      isMet: figure < aimSeconds,
      note: `median of ${samples}; after new terms ${rate(containers / tallySeconds)} containers a second are tallied by one worker; ${chargeKinds.length} kinds, 40 terms`,
      postgres,
    }
  } finally {
    await installation.close()
  }
}

/** In pages of the same size. */
async function readTallies(pool: Pool, accountId: string): Promise<void> {
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: { id: string; tally: unknown }[] } = await pool.query({
      name: 'bench_tallies',
      text: `select container_id as id, tally from charge_tallies
              where account_id = $1 and ($2::uuid is null or container_id > $2) order by container_id limit 2000`,
      values: [accountId, after],
    })
    after = rows.at(-1)?.id ?? null
    if (after === null) return
  }
}

async function fill(
  pool: Pool,
  { accountId, containers, now }: { readonly accountId: string; readonly containers: number; readonly now: string },
): Promise<void> {
  const { series, calendars } = benchBook()
  const recordedBy = { type: 'system', id: null } as const
  for (const { code, version, recordedAt, ...content } of series.flat())
    await insertVersion(pool, 'charge_terms', {
      accountId,
      code,
      version,
      recordedAt,
      recordedBy,
      content,
      id: crypto.randomUUID(),
    })
  for (const { code, version, recordedAt, ...content } of calendars.values())
    await insertVersion(pool, 'charge_calendars', {
      accountId,
      code,
      version,
      recordedAt,
      recordedBy,
      content,
      id: crypto.randomUUID(),
    })
  for (let from = 0; from < containers; from += boxesAtOnce) {
    const boxes = benchBoxes(Math.min(boxesAtOnce, containers - from), from, now).map(({ container, scac }, index) => ({
      place: from + index,
      scac,
      container: {
        ...container,
        milestones: container.milestones.map((each) => ({ ...each, claimId: crypto.randomUUID() })),
      },
    }))
    await pool.query({
      text: `with said as (select * from jsonb_to_recordset($2::jsonb) as t (place integer, scac text, container jsonb)),
                  held as (
                    insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection,
                                           created_at, updated_at)
                    select $1::uuid, md5($1::uuid::text || 's' || place)::uuid, scac, 'B' || place, 'B' || place,
                           '{"isBookingCancelled": false, "portOfLoading": {"place": null, "atd": null},
                             "portOfDischarge": {"place": null, "ata": null}}', now(), now() from said)
             insert into containers (account_id, id, shipment_id, number, trip, status, scac, projection, created_at, updated_at)
             select $1::uuid, md5($1::uuid::text || 'c' || place)::uuid, md5($1::uuid::text || 's' || place)::uuid,
                    'TCNU' || lpad(place::text, 7, '0'), 1, 'grounded', scac, container, now(), now() from said`,
      values: [accountId, JSON.stringify(boxes)],
    })
  }
  await pool.query('vacuum analyze containers')
  await sweepTallies(pool, { accountId, now })
}
