/**
 * How much each source told of the journeys that ended last: the milestones that are known from any source, and which
 * of them this source told, how soon, and whether it corrected itself.
 */

import type { Db } from '../../db/database.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'

/** The containers that came back empty last, of all lines together. */
export const containersMax = 500

export interface MilestonesOfSource {
  readonly kind: SourceKind
  readonly code: string
  /** Of its line, or about which it told anything. */
  readonly containers: number
  /** Milestones of these containers, where it could know them, that are known from any source. */
  readonly known: number
  readonly told: number
  /** Of the told ones: that happened since we track the container and have a time of day. */
  readonly timed: number
  readonly within12h: number
  readonly within24h: number
  /** Told with more than one time. */
  readonly corrected: number
}

/**
 * A line can know each milestone of its containers; a terminal or railway those at the places about which it told
 * anything of the container.
 */
export async function countStatedMilestones(
  db: Db,
  of: { readonly accountId: string; readonly names: readonly MilestoneName[] },
): Promise<readonly MilestonesOfSource[]> {
  const { rows } = await db.query<MilestonesOfSource>({
    name: 'scorecard_milestones',
    text: `with boxes as materialized (
             select id, number, shipment_id, scac, projection from containers
              where account_id = $1 and status = 'empty_returned'
              order by updated_at desc, id limit ${containersMax}
           ), subjects as materialized (
             select b.id, t.subject_id, min(t.created_at) as since
               from boxes b join tracking_requests t on t.account_id = $1 and t.shipment_id = b.shipment_id
              group by b.id, t.subject_id
           ), known as materialized (
             select distinct on (b.id, m ->> 'name') b.id, b.scac, m ->> 'name' as name, w.observation as o
               from boxes b cross join lateral jsonb_array_elements(b.projection -> 'milestones') m
               join claims w on w.account_id = $1 and w.id = (m ->> 'claimId')::uuid
              where m ->> 'kind' = 'actual' and m ->> 'name' = any($2::text[])
              order by b.id, m ->> 'name'
           ), said as materialized (
             -- One index read for each number and shipment: the filters of documents have no part in the choice.
             select b.id, c.source_kind, c.source_code, c.recorded_at, c.observation as o
               from boxes b join subjects s on s.id = b.id
              cross join lateral (select * from claims where account_id = $1 and subject_id = s.subject_id offset 0) c
              where (c.equipment = b.number or c.equipment is null)
                and c.observation ->> 'kind' = 'event' and c.observation ->> 'classifier' = 'ACT'
             union
             select b.id, c.source_kind, c.source_code, c.recorded_at, c.observation
               from boxes b
              cross join lateral (select * from claims where account_id = $1 and shipment_id = b.shipment_id offset 0) c
              where (c.equipment = b.number or c.equipment is null)
                and c.observation ->> 'kind' = 'event' and c.observation ->> 'classifier' = 'ACT'
           ), told as (
             select k.id, k.name, s.source_kind, s.source_code, min(s.recorded_at) as first_at,
                    count(distinct s.o -> 'time') as times
               from known k join said s on s.id = k.id and s.o ->> 'code' = k.o ->> 'code'
                and s.o #>> '{place,unlocode}' = k.o #>> '{place,unlocode}'
                and coalesce(s.o ->> 'load', k.o ->> 'load') is not distinct from coalesce(k.o ->> 'load', s.o ->> 'load')
              group by k.id, k.name, s.source_kind, s.source_code
           ), speakers as (
             select distinct s.source_kind, s.source_code, s.id, case when s.source_kind <> 'shipping_line' then s.o #>> '{place,unlocode}' end as place
               from said s where s.source_kind in ('shipping_line', 'terminal', 'rail')
             union
             select 'shipping_line', b.scac, b.id, null from boxes b where b.scac is not null
           ), judged as (
             select p.source_kind, p.source_code, k.id, k.name, t.first_at, t.times,
                    case when k.o #>> '{time,kind}' = 'instant' then (k.o #>> '{time,at}')::timestamptz end as at,
                    (select min(since) from subjects s where s.id = k.id) as since
               from (select distinct source_kind, source_code, id, place from speakers) p
               join known k on k.id = p.id and (p.place is null or k.o #>> '{place,unlocode}' = p.place)
               left join told t on t.id = k.id and t.name = k.name
                               and t.source_kind = p.source_kind and t.source_code = p.source_code
           )
           select source_kind as kind, source_code as code, count(distinct id)::integer as containers,
                  count(distinct (id, name))::integer as known,
                  count(distinct (id, name)) filter (where first_at is not null)::integer as told,
                  count(distinct (id, name)) filter (where first_at is not null and at > since)::integer as timed,
                  count(distinct (id, name)) filter (where at > since and first_at <= at + interval '12 hours')::integer as "within12h",
                  count(distinct (id, name)) filter (where at > since and first_at <= at + interval '24 hours')::integer as "within24h",
                  count(distinct (id, name)) filter (where times > 1)::integer as corrected
             from judged group by source_kind, source_code order by source_kind, source_code`,
    values: [of.accountId, of.names],
  })
  return rows
}

export interface FreeDaysOfPair {
  readonly scac: string
  /** Null when the terminal has no code. */
  readonly terminal: string | null
  /** Containers of which both have named a last free day. */
  readonly compared: number
  readonly agree: number
  readonly lineEarlier: number
  readonly terminalEarlier: number
}

/** How the last free days of lines and terminals agree, over the same containers. */
export async function compareFreeDays(db: Db, accountId: string): Promise<readonly FreeDaysOfPair[]> {
  const { rows } = await db.query<FreeDaysOfPair>({
    name: 'scorecard_free_days',
    text: `with days as (
             select scac, (select min(code) from jsonb_object_keys(projection #> '{heardAt,terminal}') code) as terminal,
                    given_free_day(projection, 'line') as line, given_free_day(projection, 'terminal') as port
               from (select scac, projection from containers
                      where account_id = $1 and status = 'empty_returned'
                      order by updated_at desc, id limit ${containersMax}) b
           )
           select scac, terminal, count(*)::integer as compared, count(*) filter (where line = port)::integer as agree,
                  count(*) filter (where line < port)::integer as "lineEarlier",
                  count(*) filter (where line > port)::integer as "terminalEarlier"
             from days where line is not null and port is not null group by scac, terminal order by scac, terminal`,
    values: [accountId],
  })
  return rows
}

export interface FieldsOfLine {
  readonly scac: string
  readonly containers: number
  readonly weight: number
  readonly sealNumber: number
  readonly equipmentType: number
  /** Containers of which the line told a departure and an arrival of a ship. */
  readonly departuresAndArrivals: number
  /** Containers of which the line told the time of day of an event. */
  readonly timeOfDay: number
}

const ofLine = `jsonb_array_elements(b.projection -> 'milestones') m where m ->> 'kind' = 'actual' and m ->> 'source' = 'shipping_line'`
const has = (fact: string): string =>
  `count(*) filter (where b.projection #>> '{saidBy,${fact}}' = 'shipping_line')::integer`

/** How many of the same containers have each datum that lines promise (`provided_data`), from their line. */
export async function countProvidedFields(db: Db, accountId: string): Promise<readonly FieldsOfLine[]> {
  const { rows } = await db.query<FieldsOfLine>({
    name: 'scorecard_fields',
    text: `select b.scac, count(*)::integer as containers, ${has('weight_kg')} as weight, ${has('seal_number')} as "sealNumber",
                  ${has('size_type')} as "equipmentType",
                  count(*) filter (where exists (select from ${ofLine} and m ->> 'name' like '%_departed')
                                     and exists (select from ${ofLine} and m ->> 'name' like '%_arrived'))::integer as "departuresAndArrivals",
                  count(*) filter (where exists (select from ${ofLine} and m #>> '{time,kind}' <> 'day'))::integer as "timeOfDay"
             from (select scac, projection from containers
                    where account_id = $1 and status = 'empty_returned' and scac is not null
                    order by updated_at desc, id limit ${containersMax}) b
            group by b.scac order by b.scac`,
    values: [accountId],
  })
  return rows
}

export interface ContradictionsOfSource {
  readonly kind: SourceKind
  readonly code: string
  readonly count: number
}

/** Maximum of newest contradictions that are read. */
const contradictionsMax = 5_000

/** For each source, how many of its statements were overruled since then by statements of others. */
export async function countContradicted(
  db: Db,
  of: { readonly accountId: string; readonly since: string },
): Promise<readonly ContradictionsOfSource[]> {
  const { rows } = await db.query<ContradictionsOfSource>({
    name: 'scorecard_contradicted',
    text: `select c.source_kind as kind, c.source_code as code, count(distinct c.id)::integer as count
             from (select claim_id from issues
                    where account_id = $1 and kind = 'contradicted' and last_at >= $2
                    order by last_at desc, id limit ${contradictionsMax}) i
             join claims c on c.account_id = $1 and c.id = i.claim_id
            group by c.source_kind, c.source_code`,
    values: [of.accountId, of.since],
  })
  return rows
}
