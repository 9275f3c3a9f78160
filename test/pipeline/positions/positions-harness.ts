// What the tests of ships' positions share: a shipment under way to Los Angeles on a known ship, and reports of it.

import type { TestContext } from 'node:test'
import type { AisReport } from '../../../src/connectors/ais/report.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { type AisCounts, noAisCounts } from '../../../src/pipeline/positions/ais-counts.ts'
import { openPositionCollector, type PositionCollector } from '../../../src/pipeline/positions/position-collector.ts'
import { event, journey, openStage, type Stage } from '../../support/tracking-harness.ts'

export const bill = 'HLCUSHA260100004'
export const imo = '9321483'
export const mmsi = '299321483'
/** At the port's point; on the way there; at anchor outside. */
export const losAngeles = { latitude: 33.7333, longitude: -118.2667 }
export const atSea = { latitude: 34.9, longitude: -125.4 }
export const outside = { latitude: 33.55, longitude: -118.0 }

export interface PositionStage extends Stage {
  readonly collector: PositionCollector
  readonly counts: AisCounts
  readonly newCollector: (isSandbox?: boolean) => PositionCollector
  readonly positions: () => Promise<readonly { at: string; imo: string }[]>
}

/** The line has stated that the ship left Shanghai on 8 January and is expected on 22 January. */
export const sailing = (of = bill): readonly object[] => [
  ...journey(of, 'sailed'),
  event({
    told: 800,
    code: 'ARRI',
    classifier: 'EST',
    at: '2026-01-22T06:00:00-08:00',
    place: 'USLAX',
    bill: of,
  }),
]

export async function openPositionStage(
  t: TestContext,
  options: Parameters<typeof openStage>[1] = {},
): Promise<PositionStage> {
  const stage = await openStage(t, { startAt: '2026-01-20T00:00:00Z', ...options })
  stage.carrier.answers({ json: sailing() })
  const counts = noAisCounts()
  const fold = foldBy(readRules(stage.service.config))
  const newCollector = (isSandbox = false): PositionCollector =>
    openPositionCollector(stage.service, { isSandbox, fold, counts })
  return {
    ...stage,
    counts,
    newCollector,
    collector: newCollector(),
    positions: () => stage.rows('select heard_at as at, imo from vessel_positions order by heard_at, imo'),
  }
}

export function identity(changes: Partial<Extract<AisReport, { kind: 'identity' }>> = {}): AisReport {
  return {
    kind: 'identity',
    mmsi,
    heardAt: '2026-01-19T00:00:00.000Z',
    imo: imo as never,
    name: 'KING OF THE SEAS',
    callSign: null,
    ...changes,
  }
}

export function position(
  heardAt: string,
  where: { readonly latitude: number; readonly longitude: number },
  changes: { readonly speedKnots?: number; readonly mmsi?: string } = {},
): AisReport {
  return {
    kind: 'position',
    mmsi,
    heardAt: new Date(heardAt).toISOString(),
    ...where,
    speedKnots: 0.2,
    courseDegrees: null,
    ...changes,
  }
}
