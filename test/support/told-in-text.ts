/** Journeys for tests, written in the notation with one statement a line, made into claims and projected. */

import { parseJourneyLine } from '../../src/domain/notation/notation.ts'
import { projectShipment, type ShipmentInput } from '../../src/domain/shipment/shipment.ts'
import { effectiveSinceOf } from '../../src/domain/statements/claims.ts'
import type { Claim } from '../../src/domain/statements/observation.ts'
import type { ContainerProjection, ShipmentProjection } from '../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../src/reference/ramps.ts'
import { zones } from './zones.ts'

export const box = 'TCNU1234565'

/** The n-th line is the claim `c<n>`, from 1. */
export function claimsOf(text: string, recordedAt = '2026-01-02T00:00:00.000Z'): readonly Claim[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line, index): readonly Claim[] => {
      const parsed = parseJourneyLine(line.trim(), {
        timeZoneOf: (code) => zones.get(code) ?? null,
        equipment: box,
      })
      if (parsed.kind === 'error') throw new Error(`${parsed.problem} in ${line}`)
      if (parsed.kind === 'blank') return []
      const { observation, source, delivery: told } = parsed
      const standsAt = effectiveSinceOf({ writtenAt: told?.writtenAt ?? null, recordedAt })
      const by = { standsAt, hand: told?.hand ?? 'first', deliveryKey: null }
      return [{ id: `c${index + 1}`, source, observation, readAt: recordedAt, recordedAt, ...by, retiredAt: null }]
    })
}

export function projectText(text: string, input: Partial<ShipmentInput> = {}): ShipmentProjection {
  return projectShipment({
    claims: claimsOf(text),
    line: { scac: 'HLCU', isAverageWeight: false },
    request: { kind: 'bill_of_lading', number: 'HLCU1' },
    now: '2026-06-01T00:00:00.000Z',
    previous: null,
    rules: defaultProjectionRules,
    areaOf: rampAreaOf,
    ...input,
  })
}

export function onlyBox(projection: ShipmentProjection): ContainerProjection {
  const [container, ...others] = projection.containers
  if (container === undefined || others.length > 0) throw new Error(`${projection.containers.length} containers`)
  return container
}

/** The names of what happened, in order. */
export function happenedIn(container: ContainerProjection): readonly string[] {
  return container.milestones.filter(({ kind }) => kind === 'actual').map(({ name }) => name)
}

export function issueKinds(projection: ShipmentProjection): readonly string[] {
  return projection.issues.map(({ kind, claimId }) => `${kind} ${claimId}`)
}
