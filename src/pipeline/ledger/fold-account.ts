/**
 * Folds the whole ledger of an account again, in groups of requests and shipments that belong together. The rows of a
 * group are written when it is done, so that no more is in memory than the largest group, however many groups there
 * are.
 */

import type { Db } from '../../db/database.ts'
import type { EntryYield, JourneyState } from '../projection/journey-state-sql.ts'
import { saveStates } from '../projection/save-states-sql.ts'
import type { SnapshotOpener } from '../response-archive/open-snapshots.ts'
import type { Fold } from './fold.ts'
import {
  addRequestLinks,
  countEntries,
  type EntryPlace,
  entriesAt,
  findEntryPlaces,
  findRequestLinks,
  findStray,
  nextRequests,
  type RequestLink,
} from './ledger-groups-sql.ts'
import type { EntryOf, LedgerEntry } from './ledger-sql.ts'
import { restoreEvents } from './previous-state-sql.ts'
import { emptyScratch } from './rebuild-sql.ts'
import { openReplay, type Replay } from './replay.ts'
import { groupLinkedRequests, type RequestGroup } from './request-groups.ts'
import { createSnapshotLoader, type SnapshotLoader } from './snapshot-loader.ts'
import { emptyState } from './state-rows.ts'

export interface RefoldCounts {
  readonly entries: number
  /** Of these, polls whose snapshot was read again, and polls that were folded as the ledger recorded them. */
  readonly snapshotsRead: number
  readonly asRecorded: number
  /**
   * Shipments that newer merge rules took over, and events that subscribers got of them before, which stay as they
   * were.
   */
  readonly reprojectedShipments: number
  readonly eventsOfOlderRules: number
}

const nothingFolded: RefoldCounts = {
  entries: 0,
  snapshotsRead: 0,
  asRecorded: 0,
  reprojectedShipments: 0,
  eventsOfOlderRules: 0,
}

/** Requests with which a round begins. Those that belong to the same groups come with them. */
const requestsAtOnce = 64
/** Entries that are read at once, and about how many rows are written at once. */
const entriesAtOnce = 100
const rowsAtOnce = 5_000

/**
 * Throws when an entry cannot be folded, the first one if there are several; the message names the entry and the
 * reason.
 */
export async function foldAccount(
  db: Db,
  fold: Fold,
  of: {
    readonly accountId: string
    readonly opener: SnapshotOpener
    readonly progress: (entries: number) => void
    /** Called after rows were written, with the number of entries that are folded. */
    readonly written: (entries: number) => Promise<void>
  },
): Promise<RefoldCounts> {
  for (;;) {
    const pass = new AccountFold(db, fold, of)
    await pass.run()
    if (pass.newTies.length === 0) return checkCounts(db, of.accountId, pass)
    // The rows that record what belongs together are damaged. Folding found what they lack, so it begins again with
    // that.
    await addRequestLinks(db, { accountId: of.accountId, ties: pass.newTies })
    await emptyScratch(db, of.accountId)
  }
}

/** Checks that nothing was left out. */
async function checkCounts(db: Db, accountId: string, { counts, failure }: AccountFold): Promise<RefoldCounts> {
  if (failure !== null) throw failure.error
  const entries = await countEntries(db, accountId)
  if (entries === counts.entries) return counts
  const stray = await findStray(db, accountId)
  if (stray !== null) throw cannotFold(stray, new Error('it belongs to no request that the ledger knows'))
  throw new Error(`Of ${entries} ledger entries of account ${accountId}, ${counts.entries} were folded.`)
}

function cannotFold({ position, kind }: Pick<LedgerEntry, 'position' | 'kind'>, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`Ledger entry ${position} (${kind}) cannot be folded: ${why}.`, { cause })
}

/** One pass through all groups of the account. */
class AccountFold {
  readonly #db: Db
  readonly #fold: Fold
  readonly #accountId: string
  readonly #progress: (entries: number) => void
  readonly #written: (entries: number) => Promise<void>
  readonly #kept: SnapshotLoader
  #counts = nothingFolded
  #failure: { readonly position: number; readonly error: Error } | null = null
  readonly #newTies: RequestLink[] = []
  /** Folded, and not written yet. */
  #done: JourneyState[] = []
  #yields: EntryYield[] = []
  #rows = 0

  constructor(db: Db, fold: Fold, of: Parameters<typeof foldAccount>[2]) {
    this.#db = db
    this.#fold = fold
    this.#accountId = of.accountId
    this.#progress = of.progress
    this.#written = of.written
    this.#kept = createSnapshotLoader(db, of.opener)
  }

  get counts(): RefoldCounts {
    return this.#counts
  }

  /** Of the entries that could not be folded, the first. */
  get failure(): { readonly error: Error } | null {
    return this.#failure
  }

  /** Shipments for which requests turned out to ask, though no row recorded it. */
  get newTies(): readonly RequestLink[] {
    return this.#newTies
  }

  async run(): Promise<void> {
    const accountId = this.#accountId
    for (let after: string | null = null; ; ) {
      const requestIds = await nextRequests(this.#db, { accountId, after, limit: requestsAtOnce })
      after = requestIds.at(-1) ?? null
      if (after === null) break
      const groups = groupLinkedRequests(await findRequestLinks(this.#db, { accountId, requestIds }))
      const places = await findEntryPlaces(this.#db, {
        accountId,
        requestIds: groups.flatMap((group) => group.requestIds),
        shipmentIds: groups.flatMap((group) => [...group.shipmentIds]),
      })
      await this.#foldGroups(groups, places)
      // The next round searches for requests that are not written yet, so those of this round must be written.
      await this.#write()
    }
    this.#progress(this.#counts.entries)
  }

  async #foldGroups(groups: readonly RequestGroup[], places: readonly EntryPlace[]): Promise<void> {
    const byId = new Map(groups.flatMap((group) => group.ids.map((id) => [id, group] as const)))
    const groupOf = ({ trackingRequestId, shipmentId }: EntryPlace): RequestGroup | undefined =>
      byId.get(trackingRequestId ?? shipmentId ?? '')
    const placesOfGroups = Map.groupBy(places, groupOf)
    const inOrder = groups.flatMap((group) => placesOfGroups.get(group) ?? [])
    const replays = new Map<RequestGroup, Replay>()
    for (let at = 0; at < inOrder.length; at += entriesAtOnce) {
      const positions = inOrder.slice(at, at + entriesAtOnce).map(({ position }) => position)
      const entries = await entriesAt(this.#db, { accountId: this.#accountId, positions })
      this.#kept.expect(entries.flatMap(({ snapshotId }) => snapshotId ?? []))
      for (const entry of entries) {
        const group = groupOf(entry)
        if (group === undefined) continue
        const replay = replays.get(group) ?? this.#open()
        replays.set(group, replay)
        if (!(await this.#foldEntry(replay, entry))) group.isBroken = true
        if (entry.position !== placesOfGroups.get(group)?.at(-1)?.position) continue
        replays.delete(group)
        await this.#finish(group, replay.state())
      }
    }
  }

  #open(): Replay {
    return openReplay(this.#db, this.#fold, { accountId: this.#accountId, loader: this.#kept })
  }

  /** False when it cannot be folded. */
  async #foldEntry(replay: Replay, entry: LedgerEntry): Promise<boolean> {
    const isReprojected = entry.kind === 'reprojected' && entry.shipmentId !== null
    const restoredEvents = isReprojected ? await this.#putBack(entry, entry.shipmentId) : 0
    let isAsRecorded = false
    try {
      ;({ isAsRecorded } = await replay.fold(entry))
    } catch (cause) {
      const error = cannotFold(entry, cause)
      // After an error of the database its transaction accepts nothing more.
      if (cause instanceof Error && 'severity' in cause) throw error
      if (this.#failure === null || entry.position < this.#failure.position)
        this.#failure = { position: entry.position, error }
      return false
    }
    const yields = replay.takeYields()
    this.#yields.push(...yields)
    for (const { events, published, ended } of yields) this.#rows += events.length + published.length + ended.length
    const { entries, snapshotsRead, asRecorded, reprojectedShipments, eventsOfOlderRules } = this.#counts
    this.#counts = {
      entries: entries + 1,
      snapshotsRead: snapshotsRead + (entry.snapshotId !== null && !isAsRecorded ? 1 : 0),
      asRecorded: asRecorded + (isAsRecorded ? 1 : 0),
      reprojectedShipments: reprojectedShipments + (isReprojected ? 1 : 0),
      eventsOfOlderRules: eventsOfOlderRules + restoredEvents,
    }
    if (this.#rows > rowsAtOnce) await this.#write()
    if (this.#counts.entries % 500 === 0) this.#progress(this.#counts.entries)
    return true
  }

  /**
   * Removes what the present rules made of entries that older rules had folded. What subscribers got of them then
   * stays.
   */
  async #putBack({ accountId, payload }: EntryOf<'reprojected'>, shipmentId: string): Promise<number> {
    await this.#write()
    return restoreEvents(this.#db, { accountId, shipmentId, previous: payload.stood })
  }

  async #finish(group: RequestGroup, state: JourneyState): Promise<void> {
    const unknown = [...state.shipments.keys()].filter((id) => !group.shipmentIds.has(id))
    const ties = [...state.requests.values()].flatMap(({ id: requestId, shipmentId }): readonly RequestLink[] =>
      shipmentId !== null && unknown.includes(shipmentId) ? [{ requestId, tie: shipmentId, of: 'shipment' }] : [],
    )
    this.#newTies.push(...ties)
    if (group.isBroken || ties.length > 0) return
    this.#done.push(state)
    this.#rows += countStateRows(state)
    if (this.#rows > rowsAtOnce) await this.#write()
  }

  async #write(): Promise<void> {
    if (this.#rows === 0) return
    const empty = emptyState(this.#accountId)
    const before = { state: empty, locked: new Set<string>() }
    await saveStates(this.#db, { before, after: joinStates(empty, this.#done), yields: this.#yields })
    this.#done = []
    this.#yields = []
    this.#rows = 0
    await this.#written(this.#counts.entries)
  }
}

function countStateRows({ requests, shipments, claimsByTarget, issues }: JourneyState): number {
  const [shipmentStates, claimSets] = [[...shipments.values()], [...claimsByTarget.values()]]
  return (
    requests.size +
    issues.size +
    shipmentStates.reduce((sum, { containers, claims }) => sum + 1 + containers.length + claims.size, 0) +
    claimSets.reduce((sum, claims) => sum + claims.size, 0)
  )
}

/** Joins the states of groups, which have no row in common. */
function joinStates(empty: JourneyState, states: readonly JourneyState[]): JourneyState {
  return {
    ...empty,
    requests: new Map(states.flatMap(({ requests }) => [...requests])),
    shipments: new Map(states.flatMap(({ shipments }) => [...shipments])),
    claimsByTarget: new Map(states.flatMap(({ claimsByTarget }) => [...claimsByTarget])),
    issues: new Map(states.flatMap(({ issues }) => [...issues])),
  }
}
