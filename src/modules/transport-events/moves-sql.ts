/** Active moves, as messages of a standard express them: milestones of containers with the numbers of their papers. */

import type { Db } from '../../db/database.ts'
import { type ConditionsMaker, makeConditions } from '../../db/listing/conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, rowJson } from '../../db/listing/listing.ts'
import type { Cursor, Page, TimeRange } from '../../db/listing/page.ts'
import type { EventClassifier, TransportMode } from '../../domain/values/codes.ts'
import type { Milestone } from '../../domain/view/projection.ts'

/** A milestone, or its estimate, of one container. */
export interface Move {
  readonly id: string
  readonly shipmentId: string
  readonly containerId: string
  /** Its name, such as `container.transport.vessel_arrived`. */
  readonly event: string
  readonly milestone: Milestone
  /** When it was put on record. */
  readonly createdAt: string
  /** When it was replaced or withdrawn. Null while it is active. */
  readonly invalidatedAt: string | null
  /** ISO 6346 number of the container. */
  readonly number: string
  readonly scac: string
  /** UN/LOCODEs of the ports of loading and discharge of the shipment. */
  readonly pol: string | null
  readonly pod: string | null
  readonly billOfLadingNumber: string | null
  readonly bookingNumber: string | null
  /** What the source of the milestone stated of them; null when it stated nothing. */
  readonly mode: TransportMode | null
  readonly classifier: EventClassifier | null
}

/** Null, or left out: no condition. */
export interface MoveFilter {
  /** Names of events, such as `container.transport.vessel_arrived`. */
  readonly events: readonly string[]
  readonly bookingNumber?: string | null
  readonly billOfLadingNumber?: string | null
  readonly number?: string | null
  /** The call of a ship, train or barge: at which visit, by what. */
  readonly call?: {
    readonly shipmentId: string
    readonly callKey: string
    readonly vesselImo: string | null
  } | null
  readonly vesselImo?: string | null
  readonly voyage?: string | null
  readonly unlocode?: string | null
  readonly unlocodes?: readonly string[] | null
  readonly shipmentId?: string | null
  readonly containerId?: string | null
  /** What has happened, by time or by day at the place. */
  readonly happenedAt?: TimeRange
  /** When it was put on record, or withdrawn. */
  readonly updatedAt?: TimeRange
  readonly createdAt?: readonly { readonly operator: Comparison; readonly at: string }[]
}

export const comparisons = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const
export type Comparison = keyof typeof comparisons

const moveColumns = `t.id, t.shipment_id, t.container_id, t.event, t.milestone, t.created_at, t.invalidated_at, c.number, s.scac, s.pol, s.pod,
  s.projection ->> 'billOfLadingNumber' as bill, s.projection ->> 'bookingNumber' as booking,
  k.observation ->> 'mode' as mode, k.observation ->> 'classifier' as classifier`
const moveJson = rowJson(moveColumns)
const moveJoinsSql = (account: string): string => `
  join containers c on c.account_id = ${account} and c.id = t.container_id
  join shipments s on s.account_id = ${account} and s.id = t.shipment_id
  left join claims k on k.account_id = ${account} and k.id = t.source_claim_id`
const moveJoins = moveJoinsSql('t.account_id')

interface MoveJson {
  readonly id: string
  readonly shipment_id: string
  readonly container_id: string
  readonly event: string
  readonly milestone: Milestone
  readonly created_at: string
  readonly invalidated_at: string | null
  readonly number: string
  readonly scac: string
  readonly pol: string | null
  readonly pod: string | null
  readonly bill: string | null
  readonly booking: string | null
  readonly mode: TransportMode | null
  readonly classifier: EventClassifier | null
}

/** In the order in which they were put on record; with `isDescending` the newest first. */
export async function listMoves(
  db: Db,
  list: {
    readonly accountId: string
    readonly filter: MoveFilter
    readonly isDescending: boolean
    readonly limit: number
    readonly cursor: Cursor | null
    /** Also what had happened and was withdrawn since, unless another move replaced it. */
    readonly withRetracted: boolean
  },
): Promise<Page<Move>> {
  const conditions = makeConditions('t', list.accountId)
  conditions.addText(list.withRetracted ? `(t.invalidated_at is null or ${isRetracted})` : 't.invalidated_at is null')
  addFilter(conditions, list.filter)
  const { rows, ...rest } = await readListing<MoveJson>(db, {
    table: 'transport_events',
    alias: 't',
    select: moveJson,
    joins: moveJoinsSql('$1'),
    sort: { column: 'created_at', type: 'timestamptz' },
    isDescending: list.isDescending,
    conditions,
    page: { number: 1, size: list.limit, cursor: list.cursor },
    isCounted: false,
  })
  return { rows: rows.map(readMove), ...rest }
}

/** Those of these ids that are a milestone, also when they are not active any more. */
export async function readMoves(
  db: Db,
  of: { readonly accountIds: readonly string[]; readonly ids: readonly string[] },
): Promise<readonly (Move & { readonly accountId: string })[]> {
  const { rows } = await db.query<{ json: MoveJson; accountId: string }>({
    name: 'moves_read',
    text: `select ${moveJson} as json, t.account_id as "accountId" from transport_events t ${moveJoins}
            where t.account_id = any($1::uuid[]) and t.id = any($2::uuid[]) and t.milestone is not null`,
    values: [of.accountIds, of.ids],
  })
  return rows.map(({ json, accountId }) => ({ ...readMove(json), accountId }))
}

/** The moves that these events are about, by the id of the event. */
export async function readMovesOfEvents(
  db: Db,
  of: { readonly accountIds: readonly string[]; readonly eventIds: readonly string[] },
): Promise<ReadonlyMap<string, Move>> {
  const { rows } = await db.query<{ json: MoveJson; eventId: string }>({
    name: 'moves_of_events',
    text: `select ${moveJson} as json, e.id as "eventId"
             from events e join transport_events t on t.account_id = e.account_id and t.id = e.reference_id ${moveJoins}
            where e.account_id = any($1::uuid[]) and e.id = any($2::uuid[]) and t.milestone is not null`,
    values: [of.accountIds, of.eventIds],
  })
  return new Map(rows.map(({ json, eventId }) => [eventId, readMove(json)]))
}

/** An estimate that is not held any more is not retracted: what it foretold has happened, or a later one counts. */
const isRetracted = `(t.milestone ->> 'kind' = 'actual' and not exists (
    select from transport_events n
     where n.account_id = t.account_id and n.container_id = t.container_id and n.event = t.event
       and n.call_key = t.call_key and n.id <> t.id and (n.invalidated_at is null or n.invalidated_at > t.invalidated_at)))`

function addFilter(conditions: ConditionsMaker, filter: MoveFilter): void {
  const { addText, addFewText, addAnyOf, addRange, bind } = conditions
  addText('t.milestone is not null')
  if (filter.events.length === 0) addFewText('false')
  addAnyOf('t.event', filter.events)
  const { number, call, vesselImo, voyage, unlocode, createdAt = [] } = filter
  if (number)
    addFewText(`t.container_id = any(array(select id from containers
                 where account_id = $1 and number = ${bind(number)}))`)
  for (const [column, type, paperNumber] of [
    ['billOfLadingNumber', 'bill_of_lading', filter.billOfLadingNumber],
    ['bookingNumber', 'booking_number', filter.bookingNumber],
  ] as const) {
    if (!paperNumber) continue
    const paper = `upper(${bind(paperNumber)}::text)`
    addFewText(`t.shipment_id = any(array(
      select id from shipments where account_id = $1 and upper(projection ->> '${column}') = ${paper}
      union select shipment_id from tracking_requests
             where account_id = $1 and request_type = '${type}' and upper(request_number) = ${paper}))`)
  }
  if (call) {
    addFewText(`t.shipment_id = ${bind(call.shipmentId)} and t.call_key = ${bind(call.callKey)}
      and t.vessel_imo is not distinct from ${bind(call.vesselImo)}`)
  }
  if (vesselImo) addText(`t.vessel_imo = ${bind(vesselImo)}`)
  if (voyage) addFewText(`t.voyage_number = ${bind(voyage)}`)
  addAnyOf('t.unlocode', unlocode || filter.unlocodes)
  if (filter.shipmentId) addFewText(`t.shipment_id = ${bind(filter.shipmentId)}`)
  if (filter.containerId) addFewText(`t.container_id = ${bind(filter.containerId)}`)
  if (filter.happenedAt !== undefined) {
    addText(`t.milestone ->> 'kind' = 'actual'`)
    addRange('t.occurs_at', filter.happenedAt, 't.time_zone')
  }
  const { start = null, end = null } = filter.updatedAt ?? {}
  if (start !== null) addText(`greatest(t.created_at, t.invalidated_at) >= ${bind(start)}::timestamptz`)
  if (end !== null) addText(`greatest(t.created_at, t.invalidated_at) <= ${bind(end)}::timestamptz`)
  for (const { operator, at } of createdAt) addText(`t.created_at ${comparisons[operator]} ${bind(at)}::timestamptz`)
}

function readMove(json: MoveJson): Move {
  return {
    id: json.id,
    shipmentId: json.shipment_id,
    containerId: json.container_id,
    event: json.event,
    milestone: json.milestone,
    createdAt: getJsonInstant(json.created_at),
    invalidatedAt: readJsonInstant(json.invalidated_at),
    number: json.number,
    scac: json.scac,
    pol: json.pol,
    pod: json.pod,
    billOfLadingNumber: json.bill,
    bookingNumber: json.booking,
    mode: json.mode,
    classifier: json.classifier,
  }
}
