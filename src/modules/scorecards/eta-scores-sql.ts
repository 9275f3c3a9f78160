/** Figures of the outcomes of estimates, and the outcomes of which they are made. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { boundsOf, type Page, type PageRequest, type TimeRange } from '../../db/listing/page.ts'
import type { EtaOutcome, EtaOutcomeKind } from '../../domain/scorecards/eta-outcomes.ts'

/** The least days ahead of each row of the scorecard. An estimate of a time that had passed is in the first row. */
export const daysAheadRows: readonly number[] = [0, 1, 2, 3, 5, 7, 10, 14, 21, 35]
const rowSql = `width_bucket(o.days_ahead::float8, array[${daysAheadRows.slice(1).join(', ')}]::float8[])`

/** Null: no condition. */
export interface EtaScoreFilter {
  readonly scac: string | null
  readonly pol: string | null
  readonly pod: string | null
  readonly polCountry: string | null
  readonly podCountry: string | null
  readonly kind: EtaOutcomeKind | null
  /** One of `daysAheadRows`. */
  readonly daysAhead: number | null
  readonly arrivedAt: TimeRange
}

/** What the figures are divided by, besides the kind and the days ahead. */
export const etaScoreGroups = ['line', 'lane', 'countries', 'none'] as const
export type EtaScoreGroup = (typeof etaScoreGroups)[number]

/** Null where it is not what the figures are divided by, or is not known. Shares are from 0 to 1. */
export interface EtaScore {
  readonly scac: string | null
  readonly pol: string | null
  readonly pod: string | null
  readonly polCountry: string | null
  readonly podCountry: string | null
  readonly kind: EtaOutcomeKind
  readonly daysAhead: number
  readonly estimates: number
  readonly meanErrorHours: number
  readonly medianErrorHours: number
  readonly biasHours: number
  readonly withinDay: number
  readonly rangeHeld: number | null
  readonly moved: number | null
  readonly meanMoveHours: number | null
}

const parts: Readonly<Record<string, readonly [group: EtaScoreGroup, value: string]>> = {
  scac: ['line', 'o.scac'],
  pol: ['lane', 'o.pol'],
  pod: ['lane', 'o.pod'],
  polCountry: ['countries', 'left(o.pol, 2)'],
  podCountry: ['countries', 'left(o.pod, 2)'],
}

const keys = [...Object.keys(parts).map((name) => `"${name}"`), 'kind', '"daysAhead"'].join(', ')

/**
 * Ordered by line, lane, kind and days ahead. `accountsMin`: figures of fewer accounts are left out. The outcomes are
 * first counted by tenths of an hour of their error, which gives the median without sorting all of them.
 */
export async function readEtaScores(
  db: Db,
  of: {
    /** One, or all that share. */
    readonly accounts: string | readonly string[]
    readonly accountsMin: number
    readonly groups: readonly EtaScoreGroup[]
    readonly filter: EtaScoreFilter
    readonly page: PageRequest
  },
): Promise<Page<EtaScore>> {
  const conditions = outcomeConditions(of.accounts, of.filter)
  const dimensions = Object.entries(parts).map(
    ([name, [group, value]]) => `${of.groups.includes(group) ? value : 'null::text'} as "${name}"`,
  )
  const [limit, offset] = boundsOf(of.page)
  const { rows } = await db.query<{ readonly score: EtaScore | null; readonly total: number }>({
    text: `with tenths as materialized (
             select ${dimensions.join(', ')}, o.kind, ${rowSql} as "daysAhead", round(abs(o.error_hours) * 10)::int as tenth,
                    ${of.accountsMin > 1 ? 'o.account_id' : 'null::uuid'} as account_id, count(*) as n,
                    sum(abs(o.error_hours)) as size, sum(o.error_hours) as error,
                    count(*) filter (where abs(o.error_hours) <= 24) as near, count(o.is_within) as told,
                    count(*) filter (where o.is_within) as held, count(o.moved_hours) as followed,
                    count(*) filter (where o.moved_hours <> 0) as moved, sum(abs(o.moved_hours)) as moves
               from eta_outcomes o
              where ${conditions.texts.join(' and ')}
              group by 1, 2, 3, 4, 5, 6, 7, 8, 9
           ), ranked as (
             select *, sum(n) over (partition by ${keys} order by tenth) as upto, sum(n) over (partition by ${keys}) as every
               from tenths
           ), scores as materialized (
             select ${keys}, sum(n) as estimates, sum(size) / sum(n) as "meanErrorHours",
                    (min(tenth) filter (where upto * 2 >= every) + min(tenth) filter (where upto * 2 > every)) / 20.0
                      as "medianErrorHours",
                    sum(error) / sum(n) as "biasHours", sum(near) / sum(n) as "withinDay",
                    sum(held) / nullif(sum(told), 0) as "rangeHeld", sum(moved) / nullif(sum(followed), 0) as moved,
                    sum(moves) / nullif(sum(moved), 0) as "meanMoveHours"
               from ranked group by ${keys}
             ${of.accountsMin > 1 ? `having count(distinct account_id) >= ${of.accountsMin}` : ''}
           )
           select to_jsonb(s) as score, (select count(*) from scores) as total
             from (select 1) one
             left join (select * from scores order by ${keys}
                         limit ${conditions.bind(limit)} offset ${conditions.bind(offset)}) s on true
            order by ${keys}`,
    values: [...conditions.values],
  })
  return { rows: rows.flatMap(({ score }) => (score === null ? [] : [readScore(score)])), total: rows[0]?.total ?? 0 }
}

/** A sum of many numbers differs in its last digits with the order of the rows: these are not shown. */
function readScore(score: EtaScore): EtaScore {
  const hours = (value: number): number => Math.round(value * 10) / 10
  const share = (value: number): number => Math.round(value * 1_000) / 1_000
  const orNull = (round: typeof hours, value: number | null) => (value === null ? null : round(value))
  return {
    ...score,
    daysAhead: daysAheadRows[score.daysAhead] ?? 0,
    meanErrorHours: hours(score.meanErrorHours),
    medianErrorHours: hours(score.medianErrorHours),
    biasHours: hours(score.biasHours),
    withinDay: share(score.withinDay),
    rangeHeld: orNull(share, score.rangeHeld),
    moved: orNull(share, score.moved),
    meanMoveHours: orNull(hours, score.meanMoveHours),
  }
}

export interface ShipmentOutcome extends EtaOutcome {
  readonly shipmentId: string
  readonly scac: string
  readonly pol: string | null
  readonly pod: string
}

/** The latest arrival first. */
export async function readEtaOutcomes(
  db: Db,
  of: { readonly accountId: string; readonly filter: EtaScoreFilter; readonly page: PageRequest },
): Promise<Page<ShipmentOutcome>> {
  const conditions = outcomeConditions(of.accountId, of.filter)
  const where = conditions.texts.join(' and ')
  const counted = await db.query<{ total: number }>({
    text: `select count(*) as total from eta_outcomes o where ${where}`,
    values: [...conditions.values],
  })
  const [limit, offset] = boundsOf(of.page)
  const { rows } = await db.query<ShipmentOutcome>({
    text: `select o.shipment_id as "shipmentId", o.scac, o.pol, o.pod, o.kind, o.source_code as "sourceCode",
                  o.told_at as "toldAt", o.days_ahead as "daysAhead", o.error_hours as "errorHours",
                  o.arrived_at as "arrivedAt", o.arrival_by as "arrivalBy", o.is_within as "isWithin",
                  o.moved_hours as "movedHours"
             from eta_outcomes o where ${where}
            order by o.arrived_at desc, o.shipment_id, o.told_at, o.kind, o.source_code
            limit ${conditions.bind(limit)} offset ${conditions.bind(offset)}`,
    values: [...conditions.values],
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** The accounts whose figures count in the scorecard of the installation, of the real world or of the sandbox. */
export async function readSharingAccounts(db: Db, isSandbox: boolean): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'scorecards_sharing',
    text: 'select id from accounts where shares_scorecards and is_fiction = $1 order by id',
    values: [isSandbox],
  })
  return rows.map(({ id }) => id)
}

export async function setScorecardSharing(
  db: Db,
  of: { readonly accountId: string; readonly shares: boolean },
): Promise<void> {
  await db.query({
    name: 'scorecards_sharing_set',
    text: 'update accounts set shares_scorecards = $2 where id = $1',
    values: [of.accountId, of.shares],
  })
}

function outcomeConditions(accounts: string | readonly string[], filter: EtaScoreFilter) {
  const conditions = makeConditions('o', accounts)
  conditions.add(sql`o.scac = ${filter.scac}`)
  conditions.add(sql`o.pol = ${filter.pol}`)
  conditions.add(sql`o.pod = ${filter.pod}`)
  conditions.add(sql`left(o.pol, 2) = ${filter.polCountry}`)
  conditions.add(sql`left(o.pod, 2) = ${filter.podCountry}`)
  conditions.add(sql`o.kind = ${filter.kind}`)
  if (filter.daysAhead !== null) conditions.addText(`${rowSql} = ${daysAheadRows.indexOf(filter.daysAhead)}`)
  conditions.addRange('o.arrived_at', filter.arrivedAt)
  return conditions
}
