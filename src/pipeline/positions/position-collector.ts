/**
 * Collects the reports of the feeds. It finds out which ship a radio is aboard, and holds the positions of ships that
 * matter until they are written, all in bounded memory. The process that listens has one such collector for each
 * environment.
 */

import type { FeedName } from '../../connectors/ais/feed.ts'
import type { AisReport } from '../../connectors/ais/report.ts'
import type { Service } from '../../modules/service.ts'
import { ensurePartition } from '../jobs/partitions.ts'
import type { Fold } from '../ledger/fold.ts'
import type { AisCounts } from './ais-counts.ts'
import { type Fix, type Radio, radiosOf, storeFixes, upsertRadios } from './fixes-sql.ts'
import { noteArrivals } from './note-arrivals.ts'
import { noteOwnEtas } from './own-etas.ts'
import { findVesselsWithContainers } from './vessels-with-containers-sql.ts'

export interface PositionCollector {
  /** Returns at once and never throws. */
  readonly receiveReport: (report: AisReport, source: FeedName) => void
  /**
   * Writes what waits, then the arrivals and own estimates that follow from it. Returns how many positions were stored.
   * Must not run twice at a time.
   */
  readonly flush: () => Promise<number>
}

const radiosMax = 200_000
export const pendingMax = 5_000
const waitingMax = 5_000
const learntMax = 5_000
const batchMax = 1_000
/** Until the ships to follow are read again. In the sandbox days pass in seconds. */
const followedForMs = { fiction: 1_000, real: 10_000 }
const dayMs = 86_400_000
const minuteMs = 60_000

type Position = Extract<AisReport, { kind: 'position' }>

export function openPositionCollector(
  service: Service,
  options: { readonly isSandbox: boolean; readonly fold: Fold; readonly counts: AisCounts },
): PositionCollector {
  const { isSandbox, fold, counts } = options
  const { minutes, vessels } = service.config.positions
  const radios = new Map<string, { readonly imo: string; readonly receivedMs: number; readonly storedMs: number }>()
  /** Positions of radios that have not stated yet which ship they are aboard: the last of each. */
  const pending = new Map<string, { readonly report: Position; readonly source: FeedName }>()
  const learnt = new Map<string, Radio>()
  let waiting: Fix[] = []
  /** From when the next position of a ship is wanted, in ms on the clock of its reports. */
  const wantedFrom = new Map<string, number>()
  const months = new Set<string>()
  let followed: ReadonlySet<string> = new Set()
  let followedAt = Number.NEGATIVE_INFINITY

  function receiveReport(report: AisReport, source: FeedName): void {
    counts.reports += 1
    if (report.kind === 'identity') learnRadio(report)
    else locateVessel(report, source)
  }

  function locateVessel(report: Position, source: FeedName): void {
    const radio = radios.get(report.mmsi)
    pending.delete(report.mmsi)
    if (radio === undefined) pending.set(report.mmsi, { report, source })
    else queueFix(radio.imo, report, source)
    dropOldest(pending, pendingMax)
  }

  function learnRadio(report: Extract<AisReport, { kind: 'identity' }>): void {
    const receivedMs = Date.parse(report.heardAt)
    const known = radios.get(report.mmsi)
    if (known !== undefined && known.receivedMs > receivedMs) return
    const isNews = known === undefined || known.imo !== report.imo || receivedMs - known.storedMs > dayMs
    radios.delete(report.mmsi)
    radios.set(report.mmsi, { imo: report.imo, receivedMs, storedMs: isNews ? receivedMs : known.storedMs })
    dropOldest(radios, radiosMax)
    if (isNews) {
      const { mmsi, imo, name, callSign, heardAt: receivedAt } = report
      learnt.set(mmsi, { mmsi, imo, name, callSign, heardAt: receivedAt })
      dropOldest(learnt, learntMax)
    }
    const unknown = pending.get(report.mmsi)
    pending.delete(report.mmsi)
    if (unknown !== undefined) queueFix(report.imo, unknown.report, unknown.source)
  }

  function queueFix(imo: string, report: Position, source: FeedName): void {
    if (vessels === 'under_way' && !followed.has(imo)) return
    const receivedMs = Date.parse(report.heardAt)
    if (receivedMs < (wantedFrom.get(imo) ?? Number.NEGATIVE_INFINITY) || waiting.length >= waitingMax) return
    wantedFrom.delete(imo)
    wantedFrom.set(imo, receivedMs + minutes * minuteMs)
    dropOldest(wantedFrom, radiosMax)
    const { heardAt: receivedAt, latitude, longitude, speedKnots, courseDegrees } = report
    waiting.push({ imo, heardAt: receivedAt, latitude, longitude, speedKnots, courseDegrees, source })
  }

  async function flush(): Promise<number> {
    await refreshFollowed()
    await storeRadios()
    const stored: Fix[] = []
    // Each round stores one fix of a ship: time runs fast in the sandbox, and its ships report many fixes in a second.
    for (let round = nextRound(); round.length > 0; round = nextRound()) {
      stored.push(...(await storeBatch(round)))
      const done = new Set(round)
      waiting = waiting.filter((fix) => !done.has(fix))
    }
    if (stored.length === 0) return 0
    counts.stored += stored.length
    await noteArrivals(service, fold, { isSandbox, fixes: stored })
    await noteOwnEtas(service, { isSandbox, fixes: stored })
    return stored.length
  }

  function nextRound(): readonly Fix[] {
    const first = new Map<string, Fix>()
    for (const fix of waiting) if (!first.has(fix.imo)) first.set(fix.imo, fix)
    return [...first.values()].slice(0, batchMax)
  }

  async function storeBatch(fixes: readonly Fix[]): Promise<readonly Fix[]> {
    for (const month of new Set(fixes.map(({ heardAt: receivedAt }) => receivedAt.slice(0, 7)))) {
      if (months.has(month)) continue
      if (await ensurePartition(service, 'vessel_positions', `${month}-01`)) months.add(month)
    }
    return storeFixes(service.pool, { isSandbox, minutes, fixes })
  }

  /** Reads which ships matter. Every poll of a line may change that, so it is read again every few seconds. */
  async function refreshFollowed(): Promise<void> {
    const now = service.clock.now()
    if (vessels === 'all' || now - followedAt < followedForMs[isSandbox ? 'fiction' : 'real']) return
    const imos = await findVesselsWithContainers(service.pool, isSandbox)
    const unknown = imos.filter((imo) => !followed.has(imo))
    followed = new Set(imos)
    followedAt = now
    if (unknown.length === 0) return
    for (const { mmsi, imo, heardAt: receivedAt } of await radiosOf(service.pool, {
      isSandbox,
      imos: unknown,
    })) {
      const receivedMs = Date.parse(receivedAt)
      if ((radios.get(mmsi)?.receivedMs ?? Number.NEGATIVE_INFINITY) < receivedMs) {
        radios.set(mmsi, { imo, receivedMs, storedMs: receivedMs })
      }
    }
  }

  async function storeRadios(): Promise<void> {
    const batch = [...learnt.values()].slice(0, batchMax)
    if (batch.length === 0) return
    await upsertRadios(service.pool, { isSandbox, radios: batch })
    // A position that came from a radio while this was written waits for the next time.
    for (const radio of batch) if (learnt.get(radio.mmsi) === radio) learnt.delete(radio.mmsi)
  }

  return { receiveReport, flush }
}

/** A Map keeps the order of insertion: the first is the oldest. */
function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  while (map.size > max) {
    const oldest = map.keys().next()
    if (oldest.done === true) return
    map.delete(oldest.value)
  }
}
