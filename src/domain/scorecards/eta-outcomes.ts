/**
 * How good the estimates of an arrival were: each estimate that was told before the ship came is compared with the
 * arrival that counts, as it was known at the moment at which it was told.
 */

import type { SourceKind } from '../statements/observation.ts'
import { compareText } from '../statements/statement.ts'
import { isSameJson } from '../values/json-value.ts'
import type { EventTime } from '../values/time.ts'
import { momentOf } from '../vessels/voyage-ahead.ts'
import type { ContainerProjection, Milestone, ShipmentProjection } from '../view/projection.ts'

/**
 * Who told an estimate. `first`: the carrier's first estimate. `vessel`: from the ship's positions alone. `own`: our
 * estimate, of positions and of the carrier's estimate.
 */
export const etaOutcomeKinds = ['first', 'line', 'terminal', 'vessel', 'own'] as const
export type EtaOutcomeKind = (typeof etaOutcomeKinds)[number]

/** One estimate of the arrival at the port of discharge. */
export interface EtaStatement {
  /** ISO instant: when we received or made it. */
  readonly heardAt: string
  readonly saidBy: SourceKind | 'landfall'
  readonly sourceCode: string
  readonly classifier: 'PLN' | 'EST'
  readonly time: EventTime
  readonly timeZone: string | null
  /** Empty when it is about the whole shipment. */
  readonly containerNumbers: readonly string[]
  readonly own: {
    readonly earliest: string
    readonly latest: string
    readonly madeOf: { readonly vesselEta: string } | null
  } | null
}

/** The arrival that counts. */
export interface CountedArrival {
  /** ISO instant. */
  readonly at: string
  /** The source only gave the day, and `at` is its middle. */
  readonly isDayOnly: boolean
  /** Null when it is not known. */
  readonly by: SourceKind | null
  /** The containers that arrived then. Empty: no container is known. */
  readonly containerNumbers: readonly string[]
}

export interface EtaOutcome {
  readonly kind: EtaOutcomeKind
  readonly sourceCode: string
  readonly toldAt: string
  readonly daysAhead: number
  /** Arrival minus estimate: positive when the ship came later than told. */
  readonly errorHours: number
  readonly arrivedAt: string
  readonly arrivalBy: SourceKind | null
  /** Null for an estimate without a range, and where only the day of the arrival is known. */
  readonly isWithin: boolean | null
  /** Against what the same speaker told before; null for its first. */
  readonly movedHours: number | null
}

type ArrivedContainer = Pick<ContainerProjection, 'number' | 'portOfDischarge'> & {
  readonly milestones: readonly Pick<Milestone, 'kind' | 'name' | 'time' | 'place' | 'source'>[]
}

/**
 * The arrival at the berth where a source tells it, else at the port, as the shipment shows it: that of the containers
 * with the arrival of the shipment. Null when the ship has not come, or when the zone of the time is not known.
 */
export function findCountedArrival(
  { portOfDischarge }: Pick<ShipmentProjection, 'portOfDischarge'>,
  containers: readonly ArrivedContainer[],
): CountedArrival | null {
  const { place, ata } = portOfDischarge
  if (place === null || place.unlocode === null || ata === null) return null
  const isHere = (of: { readonly unlocode: string | null } | null): boolean => of?.unlocode === place.unlocode
  const arrived = containers.filter(({ portOfDischarge: leg }) => isHere(leg.place) && isSameJson(leg.ata, ata))
  const find = (name: Milestone['name']) =>
    arrived
      .flatMap(({ milestones }) => milestones)
      .find((each) => each.kind === 'actual' && each.name === name && isHere(each.place))
  const counted = find('vessel_berthed') ?? find('vessel_arrived')
  const time = counted?.time ?? ata
  const at = momentOf({ time, timeZone: counted?.place.timeZone ?? place.timeZone })
  if (at === null) return null
  const containerNumbers = [...new Set(arrived.map(({ number }) => number))]
  return { at, isDayOnly: time.kind === 'day', by: counted?.source ?? null, containerNumbers }
}

/** The outcomes of the estimates that were told before the arrival, by kind and source, each in the order of telling. */
export function judgeEtas(etas: readonly EtaStatement[], arrival: CountedArrival): readonly EtaOutcome[] {
  const told = etas.filter((eta) => eta.heardAt < arrival.at && isAboutArrived(eta, arrival)).flatMap(readSpokenEtas)
  const outcomes = [...Map.groupBy(told, ({ kind, sourceCode }) => `${kind} ${sourceCode}`)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, spoken]) => judgeSpeaker(spoken, arrival))
  const [first] = outcomes
    .filter(({ kind }) => kind === 'line')
    .toSorted((a, b) => compareText(a.toldAt, b.toldAt) || compareText(a.sourceCode, b.sourceCode))
  return first === undefined ? outcomes : [{ ...first, kind: 'first' }, ...outcomes]
}

/** An estimate of one speaker, read as a moment. */
interface SpokenEta extends Pick<EtaOutcome, 'kind' | 'sourceCode' | 'toldAt'> {
  readonly at: string
  readonly range: { readonly earliest: string; readonly latest: string } | null
  /** Of several at one moment, the one that comes first counts: estimates before plans, then those of more containers. */
  readonly rank: readonly [isPlanned: number, containers: number]
}

function isAboutArrived({ containerNumbers }: EtaStatement, arrival: CountedArrival): boolean {
  return (
    containerNumbers.length === 0 ||
    arrival.containerNumbers.length === 0 ||
    containerNumbers.some((number) => arrival.containerNumbers.includes(number))
  )
}

const kindOfSource: Readonly<Partial<Record<EtaStatement['saidBy'], EtaOutcomeKind>>> = {
  shipping_line: 'line',
  terminal: 'terminal',
  landfall: 'own',
}

/** Our estimate also holds the one that was made of the ship's positions alone. */
function readSpokenEtas(eta: EtaStatement): readonly SpokenEta[] {
  const kind = kindOfSource[eta.saidBy]
  const at = momentOf(eta)
  if (kind === undefined || at === null) return []
  const { sourceCode, heardAt: toldAt, containerNumbers, own } = eta
  const containers = containerNumbers.length === 0 ? Number.MAX_SAFE_INTEGER : containerNumbers.length
  const rank = [Number(eta.classifier === 'PLN'), -containers] as const
  const spoken: SpokenEta = { kind, sourceCode, toldAt, at, range: own, rank }
  if (!own?.madeOf) return [spoken]
  return [spoken, { ...spoken, kind: 'vessel', at: own.madeOf.vesselEta, range: null }]
}

function judgeSpeaker(spoken: readonly SpokenEta[], arrival: CountedArrival): readonly EtaOutcome[] {
  const inOrder = spoken.toSorted(
    (a, b) =>
      compareText(a.toldAt, b.toldAt) || a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || compareText(b.at, a.at),
  )
  const counted = inOrder.filter(({ toldAt }, index) => inOrder[index - 1]?.toldAt !== toldAt)
  return counted.map(({ kind, sourceCode, toldAt, at, range }, index) => {
    const before = counted[index - 1]
    return {
      kind,
      sourceCode,
      toldAt,
      daysAhead: hoursBetween(toldAt, at) / 24,
      errorHours: hoursBetween(at, arrival.at),
      arrivedAt: arrival.at,
      arrivalBy: arrival.by,
      isWithin: range === null || arrival.isDayOnly ? null : range.earliest <= arrival.at && arrival.at <= range.latest,
      movedHours: before === undefined ? null : hoursBetween(before.at, at),
    }
  })
}

function hoursBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 3_600_000
}
