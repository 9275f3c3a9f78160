/**
 * Stops: a share of the shipments stand still for some weeks, wherever they are, and nobody says so. Everything that
 * would have happened and been said afterwards comes so much later.
 */
import { fraction, wholeBetween } from './chance.ts'
import type { Line } from './lines.ts'
import { DAY } from './local-time.ts'
import type { Shipment, Statement } from './shipment.ts'
import { World } from './world.ts'

export interface Stop {
  readonly fromMs: number
  readonly days: number
}

/** When the shipment stops: after one of its facts from the first departure on. Null for most. */
export function stopOf({ key, facts }: Shipment, share: number): Stop | null {
  if (fraction(`stop|${key}`) >= share) return null
  const from = facts.findIndex(({ code }) => code === 'DEPA')
  const before = facts[wholeBetween(`stops at|${key}`, from, facts.length - 2)]
  if (from < 0 || before === undefined) return null
  return { fromMs: before.at, days: 30 }
}

export function stand(shipment: Shipment, { fromMs, days }: Stop): Shipment {
  const later = (at: number): number => at + days * DAY
  const hasMoved = ({ classifier, at, created }: Statement): boolean =>
    classifier === 'ACT' ? at > fromMs : created > fromMs
  const onTime = new Set(shipment.statements.flatMap((each) => (hasMoved(each) ? [] : [each.created])))
  const untilOf = ({ until }: Statement): number | null =>
    until === null || until <= fromMs || onTime.has(until) ? until : later(until)
  return {
    ...shipment,
    facts: shipment.facts.map((fact) => (fact.at > fromMs ? { ...fact, at: later(fact.at) } : fact)),
    statements: shipment.statements
      .map((each) => {
        const until = untilOf(each)
        if (!hasMoved(each)) return { ...each, until }
        return { ...each, until, created: later(each.created), at: each.at > fromMs ? later(each.at) : each.at }
      })
      .sort((a, b) => a.created - b.created || (a.key < b.key ? -1 : 1)),
    endsAt: later(shipment.endsAt),
  }
}

/** A world in which this share of the shipments stops. */
export class WorldWithStops extends World {
  private readonly share: number

  constructor(seed: number, epoch: number, share: number) {
    super(seed, epoch)
    this.share = share
  }

  override recent(now: number, days: number, line: Line | null): readonly Shipment[] {
    return super.recent(now, days, line).map((shipment) => this.stopped(shipment))
  }

  override find(line: Line, number: string, now: number): readonly Shipment[] {
    return super.find(line, number, now).map((shipment) => this.stopped(shipment))
  }

  private stopped(shipment: Shipment): Shipment {
    const stop = stopOf(shipment, this.share)
    return stop === null ? shipment : stand(shipment, stop)
  }
}
