/**
 * Gives the fold a journey for which no line was polled: what sources stated, poll by poll, over a state in memory.
 * Golden stories and the examples of webhooks are made in this way, and their events are made as those of a live
 * shipment are.
 */

import type { Hand, Observation, Source } from '../../domain/statements/observation.ts'
import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import { compareInstants } from '../../domain/values/time.ts'
import type { ShipmentProjection } from '../../domain/view/projection.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { JourneyState, ShipmentKey, ShipmentState } from '../projection/journey-state-sql.ts'
import type { TrackingRequestRow } from '../projection/tracking-requests-sql.ts'
import { compareReading, type ReadingChange } from './compare-reading.ts'
import type { Fold } from './fold.ts'
import { type EntryMaterial, foldEntry } from './fold-entry.ts'
import type { FoldResult } from './fold-result.ts'
import type { RequestCreated } from './ledger-payload-sql.ts'
import type { LedgerEntry } from './ledger-sql.ts'
import { emptyState, findActiveClaims, getRequest } from './state-rows.ts'

/** The request: the account that makes it, and its number. */
export interface ScenarioRequest {
  readonly accountId: string
  readonly id: string
  readonly requestedAt: string
  readonly created: RequestCreated
  /** The shipment, when it is not to be named by its line and number. */
  readonly shipment?: ShipmentKey
  /** Position of the first entry, which records the request; 1 if it is missing. */
  readonly position?: number
}

export interface ScenarioStatement {
  readonly source: Source
  readonly observation: Observation
  /** Set for a message of a partner: when it was written, as it states, and whether the source stated it itself. */
  readonly delivery?: { readonly writtenAt: string | null; readonly hand: Hand }
}

/** What each source stated at a moment: carrier, terminals, railways, ships, the customer. */
export interface ScenarioPoll {
  readonly at: string
  readonly statements: readonly ScenarioStatement[]
  /** The source that sent everything it knows. What it leaves out twice in a row is withdrawn. */
  readonly wholePictureOf?: Source | null
  /** The ids of statements that a source withdraws. */
  readonly withdrawn?: { readonly source: Source; readonly keys: readonly string[] }
}

export interface Scenario {
  readonly state: () => JourneyState
  readonly request: () => TrackingRequestRow
  /** Null before the line knew the number. */
  readonly shipment: () => ShipmentState | null
  /** As it was projected last. */
  readonly projection: () => ShipmentProjection | null
  /** A valid answer. */
  readonly read: (poll: ScenarioPoll) => FoldResult
  /** An answer without a journey, or no answer. */
  readonly answer: (poll: { readonly at: string; readonly outcome: PollOutcome }) => FoldResult
  /** Time passes without news. The timers of the request and of its shipment that are due fire. */
  readonly wait: (at: string) => readonly FoldResult[]
}

export function openScenario(fold: Fold, scenarioRequest: ScenarioRequest): Scenario {
  const { accountId, id } = scenarioRequest
  const subjectId = uuidV5(LANDFALL_NAMESPACE, `told subject:${id}`)
  let state = emptyState(accountId)
  let position = (scenarioRequest.position ?? 1) - 1
  let projection: ShipmentProjection | null = null
  const commitEntry = (entry: EntryContent, at: string, material: EntryMaterial | null = null): FoldResult => {
    position += 1
    const { shipmentId = null } = state.requests.get(id) ?? {}
    const by = { accountId, trackingRequestId: id, shipmentId, subjectId, snapshotId: null, reader: null }
    const folded = foldEntry(fold, state, { ...by, ...entry, position, recordedAt: at, rules: rulesVersion }, material)
    state = folded.state
    projection = folded.projection ?? projection
    return folded
  }
  const request = () => getRequest(state, id)
  const shipment = () => shipmentOf(state, request())
  const poll = (at: string, outcome: PollOutcome, change: ReadingChange | null): FoldResult => {
    const material: EntryMaterial['material'] =
      change === null ? { kind: 'no_answer', outcome } : { kind: 'reading', outcome, ingested: { change, issues: [] } }
    const payload = { outcome: outcome.kind }
    return commitEntry({ kind: 'look', payload }, at, { material, key: scenarioRequest.shipment ?? null })
  }
  commitEntry({ kind: 'request_created', payload: scenarioRequest.created }, scenarioRequest.requestedAt)
  return {
    state: () => state,
    request,
    shipment,
    projection: () => projection,
    read: (of) => poll(of.at, { kind: 'found' }, comparePoll(state, { accountId, subjectId }, of)),
    answer: ({ at, outcome }) => poll(at, outcome, null),
    wait: (at) => {
      const isDue = (timerAt: string | null | undefined): boolean =>
        typeof timerAt === 'string' && compareInstants(timerAt, at) <= 0
      const fired: FoldResult[] = []
      if (isDue(request().timerAt)) fired.push(commitEntry({ kind: 'timer', payload: { of: 'request' } }, at))
      if (isDue(shipment()?.row.timerAt)) fired.push(commitEntry({ kind: 'timer', payload: { of: 'shipment' } }, at))
      return fired
    },
  }
}

type EntryContent = { readonly [Name in LedgerEntry['kind']]: KindOf<Name> }[LedgerEntry['kind']]
type KindOf<Name> = Pick<Extract<LedgerEntry, { readonly kind: Name }>, 'kind' | 'payload'>

function shipmentOf({ shipments }: JourneyState, { shipmentId }: TrackingRequestRow): ShipmentState | null {
  return shipmentId === null ? null : (shipments.get(shipmentId) ?? null)
}

/**
 * Each source is compared with its own earlier statements, as if it had a poll target of its own. Each message of a
 * source is compared by itself.
 */
function comparePoll(
  state: JourneyState,
  { accountId, subjectId }: { readonly accountId: string; readonly subjectId: string },
  { at, statements, wholePictureOf = null, withdrawn }: ScenarioPoll,
): ReadingChange {
  const live = findActiveClaims(state.claimsByTarget.get(subjectId))
  const bySource = Map.groupBy(statements, (each) => `${nameOf(each.source)} ${JSON.stringify(each.delivery ?? null)}`)
  const readings = [...bySource.values()].flatMap((group): readonly SourceStatements[] => {
    const [first] = group
    return first === undefined ? [] : [{ source: first.source, delivery: first.delivery, statements: group }]
  })
  const isOfPicture = (source: Source) => wholePictureOf !== null && nameOf(wholePictureOf) === nameOf(source)
  if (wholePictureOf !== null && !readings.some(({ source }) => isOfPicture(source)))
    readings.push({ source: wholePictureOf, delivery: undefined, statements: [] })
  const withdrawnKeys = (source: Source): readonly string[] =>
    withdrawn !== undefined && nameOf(withdrawn.source) === nameOf(source) ? withdrawn.keys : []
  if (withdrawn !== undefined && !readings.some(({ source }) => withdrawnKeys(source).length > 0))
    readings.push({ source: withdrawn.source, delivery: undefined, statements: [] })
  const changes = readings.map(({ source, delivery, statements: ownStatements }) =>
    compareReading(live, {
      accountId,
      subjectId: uuidV5(LANDFALL_NAMESPACE, `${subjectId}:${nameOf(source)}`),
      shipmentId: null,
      snapshotId: null,
      source,
      ...(delivery !== undefined && {
        hand: delivery.hand,
        message: { writtenAt: delivery.writtenAt, deliveryKey: null },
      }),
      observations: ownStatements.map(({ observation }) => observation),
      withdrawn: withdrawnKeys(source),
      isFullPicture: isOfPicture(source),
      recordedAt: at,
    }),
  )
  return withMessageChange(changes, {
    add: changes.flatMap(({ add }) => add),
    retire: changes.flatMap(({ retire }) => retire),
    seen: changes.flatMap(({ seen }) => seen),
    missing: changes.flatMap(({ missing }) => missing),
    left: changes.flatMap(({ left }) => left),
  })
}

interface SourceStatements {
  readonly source: Source
  readonly delivery: ScenarioStatement['delivery'] | undefined
  readonly statements: readonly ScenarioStatement[]
}

/** In one poll of a story at most one message changes since when claims are effective. */
function withMessageChange(changes: readonly ReadingChange[], change: ReadingChange): ReadingChange {
  const messageChanges = changes.flatMap((each) => (each.messageChange === undefined ? [] : [each.messageChange]))
  const [first] = messageChanges.toSorted((a, b) => b.moved.length - a.moved.length)
  if (first === undefined) return change
  return {
    ...change,
    messageChange: { ...first, overtaken: messageChanges.flatMap(({ overtaken }) => overtaken) },
  }
}

function nameOf({ kind, code }: Source): string {
  return `${kind}:${code}`
}
