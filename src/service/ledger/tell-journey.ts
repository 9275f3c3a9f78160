/**
 * Gives the fold a journey for which no line was asked: what sources said, look by look, over a state in memory. Golden
 * stories and the examples of webhooks are made in this way, and their events come about as those of a live shipment
 * do.
 */

import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import type { ShipmentProjection } from '../../core/shown/projection.ts'
import { rulesVersion } from '../../core/shown/projection-rules.ts'
import type { Hand, Observation, Source } from '../../core/statements/observation.ts'
import { compareInstants } from '../../core/values/time.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../../store/journey-state/state.ts'
import type { TrackingRequestRow } from '../../store/journeys/tracking-requests.ts'
import type { LedgerEntry } from '../../store/ledger/ledger.ts'
import type { RequestCreated } from '../../store/ledger/ledger-payload.ts'
import { compareReading, type ReadingChange } from './absorb.ts'
import type { Fold } from './fold.ts'
import { foldEntry, type Material } from './fold-entry.ts'
import type { Folded } from './folded.ts'
import { emptyState, getRequest, standingClaims } from './state-rows.ts'

/** The request: who asks, and for what. */
export interface ToldRequest {
  readonly accountId: string
  readonly id: string
  readonly askedAt: string
  readonly created: RequestCreated
  /** The shipment, when it is not to be named by its line and number. */
  readonly shipment?: ShipmentKey
  /** Position of the first entry, which records the request; 1 if it is missing. */
  readonly position?: number
}

export interface Said {
  readonly source: Source
  readonly observation: Observation
  /** Set for a message of a partner: when it says that it was written, and whether the source said so itself. */
  readonly told?: { readonly writtenAt: string | null; readonly hand: Hand }
}

/** What each source said at a moment: carrier, terminals, railways, ships, the customer. */
export interface ToldLook {
  readonly at: string
  readonly said: readonly Said[]
  /** The source that sent everything it knows. What it leaves out twice in a row is withdrawn. */
  readonly wholePictureOf?: Source | null
  /** The ids of statements that a source takes back. */
  readonly withdrawn?: { readonly source: Source; readonly keys: readonly string[] }
}

export interface Telling {
  readonly state: () => JourneyState
  readonly request: () => TrackingRequestRow
  /** Null before the line knew the number. */
  readonly shipment: () => ShipmentState | null
  /** As it was projected last. */
  readonly projection: () => ShipmentProjection | null
  /** A valid answer. */
  readonly read: (look: ToldLook) => Folded
  /** An answer without a journey, or no answer. */
  readonly answer: (look: { readonly at: string; readonly outcome: LookOutcome }) => Folded
  /** Time passes without news. The timers of the request and of its shipment that are due fire. */
  readonly wait: (at: string) => readonly Folded[]
}

export function openTelling(fold: Fold, told: ToldRequest): Telling {
  const { accountId, id } = told
  const subjectId = uuidV5(LANDFALL_NAMESPACE, `told subject:${id}`)
  let state = emptyState(accountId)
  let position = (told.position ?? 1) - 1
  let projection: ShipmentProjection | null = null
  const take = (entry: Kind, at: string, material: Material | null = null): Folded => {
    position += 1
    const { shipmentId = null } = state.requests.get(id) ?? {}
    const by = { accountId, trackingRequestId: id, shipmentId, subjectId, snapshotId: null, reader: null }
    const folded = foldEntry(
      fold,
      state,
      { ...by, ...entry, position, recordedAt: at, rules: rulesVersion },
      material,
    )
    state = folded.state
    projection = folded.projection ?? projection
    return folded
  }
  const request = () => getRequest(state, id)
  const shipment = () => shipmentOf(state, request())
  const look = (at: string, outcome: LookOutcome, change: ReadingChange | null): Folded => {
    const material: Material['material'] =
      change === null
        ? { kind: 'no_answer', outcome }
        : { kind: 'reading', outcome, heard: { change, issues: [] } }
    const payload = { outcome: outcome.kind }
    return take({ kind: 'look', payload }, at, { material, key: told.shipment ?? null })
  }
  take({ kind: 'request_created', payload: told.created }, told.askedAt)
  return {
    state: () => state,
    request,
    shipment,
    projection: () => projection,
    read: (of) => look(of.at, { kind: 'found' }, changeBy(state, { accountId, subjectId }, of)),
    answer: ({ at, outcome }) => look(at, outcome, null),
    wait: (at) => {
      const isDue = (timerAt: string | null | undefined): boolean =>
        typeof timerAt === 'string' && compareInstants(timerAt, at) <= 0
      const fired: Folded[] = []
      if (isDue(request().timerAt)) fired.push(take({ kind: 'timer', payload: { of: 'request' } }, at))
      if (isDue(shipment()?.row.timerAt)) fired.push(take({ kind: 'timer', payload: { of: 'shipment' } }, at))
      return fired
    },
  }
}

type Kind = { readonly [Name in LedgerEntry['kind']]: KindOf<Name> }[LedgerEntry['kind']]
type KindOf<Name> = Pick<Extract<LedgerEntry, { readonly kind: Name }>, 'kind' | 'payload'>

function shipmentOf({ shipments }: JourneyState, { shipmentId }: TrackingRequestRow): ShipmentState | null {
  return shipmentId === null ? null : (shipments.get(shipmentId) ?? null)
}

/**
 * Each source is compared with its own earlier statements, as if it were looked at under a subject of its own. Each
 * message of a source is compared by itself.
 */
function changeBy(
  state: JourneyState,
  { accountId, subjectId }: { readonly accountId: string; readonly subjectId: string },
  { at, said, wholePictureOf = null, withdrawn }: ToldLook,
): ReadingChange {
  const live = standingClaims(state.subjects.get(subjectId))
  const heard = Map.groupBy(said, (each) => `${nameOf(each.source)} ${JSON.stringify(each.told ?? null)}`)
  const readings = [...heard.values()].flatMap((group): readonly Part[] => {
    const [first] = group
    return first === undefined ? [] : [{ source: first.source, told: first.told, said: group }]
  })
  const isOfPicture = (source: Source) => wholePictureOf !== null && nameOf(wholePictureOf) === nameOf(source)
  if (wholePictureOf !== null && !readings.some(({ source }) => isOfPicture(source)))
    readings.push({ source: wholePictureOf, told: undefined, said: [] })
  const takenBack = (source: Source): readonly string[] =>
    withdrawn !== undefined && nameOf(withdrawn.source) === nameOf(source) ? withdrawn.keys : []
  if (withdrawn !== undefined && !readings.some(({ source }) => takenBack(source).length > 0))
    readings.push({ source: withdrawn.source, told: undefined, said: [] })
  const changes = readings.map(({ source, told, said: own }) =>
    compareReading(live, {
      accountId,
      subjectId: uuidV5(LANDFALL_NAMESPACE, `${subjectId}:${nameOf(source)}`),
      shipmentId: null,
      snapshotId: null,
      source,
      ...(told !== undefined && {
        hand: told.hand,
        message: { writtenAt: told.writtenAt, deliveryKey: null },
      }),
      observations: own.map(({ observation }) => observation),
      withdrawn: takenBack(source),
      isFullPicture: isOfPicture(source),
      recordedAt: at,
    }),
  )
  return withTold(changes, {
    add: changes.flatMap(({ add }) => add),
    retire: changes.flatMap(({ retire }) => retire),
    seen: changes.flatMap(({ seen }) => seen),
    missing: changes.flatMap(({ missing }) => missing),
    left: changes.flatMap(({ left }) => left),
  })
}

interface Part {
  readonly source: Source
  readonly told: Said['told'] | undefined
  readonly said: readonly Said[]
}

/** In one look of a story at most one message changes since when claims stand. */
function withTold(changes: readonly ReadingChange[], change: ReadingChange): ReadingChange {
  const told = changes.flatMap((each) => (each.told === undefined ? [] : [each.told]))
  const [first] = told.toSorted((a, b) => b.moved.length - a.moved.length)
  if (first === undefined) return change
  return { ...change, told: { ...first, overtaken: told.flatMap(({ overtaken }) => overtaken) } }
}

function nameOf({ kind, code }: Source): string {
  return `${kind}:${code}`
}
