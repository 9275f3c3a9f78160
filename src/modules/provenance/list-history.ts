/**
 * What changed in a shipment or container, when, and because of which source: folds the ledger again, and compares the
 * state after each entry.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import type { PersonIngested } from '../../pipeline/ledger/ledger-payload-sql.ts'
import type { EntryOf, LedgerEntry } from '../../pipeline/ledger/ledger-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type ContainerReading, readContainersOfShipments } from '../containers/list-containers-sql.ts'
import { notFound } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import { readShipments, type ShipmentReading } from '../shipments/list-shipments-sql.ts'
import { type ChangeEvent, readEventSequences, readEventsAfterOrdinal } from './change-events-sql.ts'
import { type ExplainTarget, findShipmentId } from './explain-value.ts'
import { withEachState } from './state-at.ts'

type ComparedReading = ShipmentReading | ContainerReading

export interface ValueChange {
  readonly type: ExplainTarget['type']
  readonly id: string
  readonly attribute: string
  readonly before: unknown
  readonly after: unknown
}

export interface ChangeReading {
  readonly type: 'change'
  readonly id: string
  /** Position of the entry in the ledger. */
  readonly position: number
  readonly recordedAt: string
  readonly cause: LedgerEntry['kind']
  /** The action of a user; null for every other entry. */
  readonly action: string | null
  /** What was repaired in Landfall itself, when that made the entry. */
  readonly reason: string | null
  /**
   * `rules`: the merge rules that this history uses. `servedByRules`: the rules in use when the change was served, if
   * these were older ones.
   */
  readonly rules: number
  readonly servedByRules: number | null
  /** Null when only the passing of time, or the account itself, caused the change. */
  readonly by: { readonly kind: string; readonly id: string | null } | null
  readonly snapshotId: string | null
  readonly changes: readonly ValueChange[]
  /** The events that subscribers got because of it. */
  readonly events: readonly ChangeEvent[]
}

/** `show`: the attributes of a reading, as the API names them. Newest first. */
export async function listHistory(
  service: Service,
  context: Context,
  input: {
    readonly of: ExplainTarget
    readonly page: PageRequest
    readonly show: (reading: ComparedReading) => Readonly<Record<string, unknown>>
  },
): Promise<Page<ChangeReading>> {
  requireScope(context, 'read')
  const { of, page, show } = input
  const accountId = context.account.id
  const shipmentId = await findShipmentId(service, context, of)
  const [known] = await readShipments(service.pool, { accountId, ids: [shipmentId] })
  if (known === undefined) throw notFound('shipment')
  const found: ChangeReading[] = []
  let before: ReadonlyMap<string, ComparedReading> = new Map()
  let ordinal = 0
  const compare = async ({ pool }: Service, entry: LedgerEntry, isBeforeFold: boolean): Promise<void> => {
    const shipments = await readShipments(pool, { accountId, ids: [shipmentId] })
    const containers = await readContainersOfShipments(pool, { accountId, shipmentIds: [shipmentId] })
    const after = new Map<string, ComparedReading>([...shipments, ...containers].map((each) => [each.id, each]))
    const laterEvents = await readEventsAfterOrdinal(pool, { accountId, shipmentId, ordinal })
    ordinal = laterEvents.ordinal
    const isAbout = ({ id }: { readonly id: string }) => of.type === 'shipment' || id === of.id
    const changes = [...after.values()].filter(isAbout).flatMap((each) => diffReadings(before.get(each.id), each, show))
    const events = laterEvents.events.filter(({ containerId }) => of.type === 'shipment' || containerId === of.id)
    before = after
    if (changes.length > 0 && !isBeforeFold) found.push({ ...readEntry(entry, known.scac), changes, events })
  }
  const moment = { shipmentId, asOf: journeyNow(service, context.account.isSandbox) }
  await withEachState(service, context, moment, compare)
  const start = (page.number - 1) * page.size
  const rows = found.toReversed().slice(start, start + page.size)
  const ids = rows.flatMap(({ events }) => events.map(({ id }) => id))
  const sequences = await readEventSequences(service.pool, { accountId, ids })
  const numbered = rows.map((row) => ({
    ...row,
    // For an entry that older rules folded, only events that were really announced are listed. The present rules may
    // yield others.
    events: row.events
      .filter(({ id }) => row.servedByRules === null || sequences.has(id))
      .map((event) => ({ ...event, sequence: sequences.get(event.id) ?? null })),
  }))
  return { rows: numbered, total: found.length }
}

function diffReadings(
  before: ComparedReading | undefined,
  after: ComparedReading,
  show: (reading: ComparedReading) => Readonly<Record<string, unknown>>,
): readonly ValueChange[] {
  const [was, is] = [before === undefined ? {} : show(before), show(after)]
  return Object.entries(is).flatMap(([attribute, value]) => {
    const old = (was as Readonly<Record<string, unknown>>)[attribute] ?? null
    const isSame = JSON.stringify(old) === JSON.stringify(value)
    return isSame ? [] : [{ type: after.type, id: after.id, attribute, before: old, after: value }]
  })
}

function readEntry(entry: LedgerEntry, scac: string): Omit<ChangeReading, 'changes' | 'events'> {
  const { position, kind, recordedAt, snapshotId } = entry
  return {
    type: 'change',
    id: uuidV5(LANDFALL_NAMESPACE, `change:${entry.accountId}:${position}`),
    position,
    recordedAt,
    cause: kind,
    action: actionOf(entry),
    reason: reasonOf(entry),
    rules: rulesVersion,
    servedByRules: entry.rules === rulesVersion ? null : entry.rules,
    by: findEntryAuthor(entry, scac),
    snapshotId,
  }
}

function actionOf({ kind, payload }: LedgerEntry): string | null {
  if (kind === 'user_action') return payload.action
  return kind === 'heard' && payload.via === 'human' ? 'state' : null
}

function reasonOf({ kind, payload }: LedgerEntry): string | null {
  if (kind === 'reprojected')
    return `The rules of Landfall were corrected (rules/${payload.from} to rules/${payload.to}).`
  if (kind === 'look' && payload.isReread === true)
    return 'A reader of Landfall was corrected: stored answers of the carrier were read again.'
  if (kind === 'heard' && 'isReread' in payload && payload.isReread === true)
    return 'A reader of Landfall was corrected: stored messages were read again.'
  return null
}

function findEntryAuthor({ kind, payload }: LedgerEntry, scac: string): ChangeReading['by'] {
  if (kind === 'look') return { kind: 'shipping_line', id: scac }
  if (kind === 'vessel_arrival') return { kind: 'ais', id: payload.feed }
  if (kind === 'reprojected') return { kind: 'system', id: `rules/${payload.to}` }
  if (kind === 'heard' && payload.via === 'human') return byActor(payload)
  if (kind === 'heard') return { kind: payload.source.kind, id: payload.source.code }
  return kind === 'user_action' ? byActor(payload) : null
}

function byActor({ actor }: EntryOf<'user_action'>['payload'] | PersonIngested): ChangeReading['by'] {
  return actor === undefined ? null : { kind: actor.kind, id: actor.id ?? null }
}
