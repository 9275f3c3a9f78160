/** Projects a shipment again as it is now, and keeps what the projection was made of. Writes nothing. */

import { leadOf, type ShipmentMaking } from '../../../core/explaining/explain-shipment.ts'
import type { FactClaim } from '../../../core/journey/trip.ts'
import type { BoxMaking } from '../../../core/shipment/box-making.ts'
import { projectShipment } from '../../../core/shipment/shipment.ts'
import type { ContainerProjection, ShipmentProjection } from '../../../core/shown/projection.ts'
import { rampAreaOf } from '../../../reference/ramps.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { claimsOnRecord, type KeptClaim, liveClaims } from '../../../store/journeys/claims.ts'
import { requestsOfShipment } from '../../../store/journeys/tracking-requests.ts'
import { readShipmentState, type ShipmentState } from '../../../store/read/shipment-state.ts'
import { notFound } from '../../errors.ts'
import { askedAs } from '../../ledger/project.ts'
import { readRules } from '../../ledger/rules.ts'
import type { Service } from '../../service.ts'
import { type PaperProof, proofsOf } from './papers.ts'

export interface Makings {
  readonly state: ShipmentState
  readonly shipment: ShipmentMaking
  /** By id of the container. */
  readonly boxes: ReadonlyMap<string, BoxMaking>
  /** All standing claims, and the claim of the last ETA, by id. */
  readonly claims: ReadonlyMap<string, KeptClaim>
  /** For claims from documents: their places on the page; by id. */
  readonly papers: ReadonlyMap<string, PaperProof>
}

export async function readMakings(
  service: Service,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<Makings> {
  const { pool, config } = service
  const state = await readShipmentState(pool, { accountId: key.accountId, id: key.shipmentId })
  const requests = await requestsOfShipment(pool, key)
  if (state === null || requests.length === 0) throw notFound('shipment')
  const { request, subjectIds } = askedAs(requests, key)
  const claims = await liveClaims(pool, { accountId: key.accountId, subjectIds, shipmentId: key.shipmentId })
  const lastEta = await findLastEta(pool, key.accountId, { claims, projection: state.projection })
  const makings: BoxMaking[] = []
  const told: { facts: readonly FactClaim[]; shown: ContainerProjection | null } = { facts: [], shown: null }
  projectShipment({
    claims,
    line: {
      scac: state.scac,
      isAverageWeight: findShippingLine(state.scac)?.dataGaps.averageWeight ?? false,
    },
    request,
    // The moment of the last change: statements that were in the future then were not believed.
    now: state.updatedAt,
    previous: { ...state.projection, containers: state.containers.map(({ projection }) => projection) },
    rules: readRules(config).projection,
    areaOf: rampAreaOf,
    recorder: {
      box: (made) => void makings.push(made),
      shipment: (made) => void Object.assign(told, made),
    },
  })
  const kept = [...claims, ...(lastEta === null ? [] : [lastEta])]
  const boxes = state.containers.flatMap(({ id, projection }) => {
    const made = makings.find(
      ({ container }) => container.number === projection.number && container.trip === projection.trip,
    )
    return made === undefined ? [] : [[id, made] as const]
  })
  return {
    state,
    shipment: { facts: told.facts, lead: leadOf(makings, told.shown), lastEta },
    boxes: new Map(boxes),
    claims: new Map(kept.map((claim) => [claim.id, claim])),
    papers: await proofsOf(service, key.accountId, kept),
  }
}

/** The claim may have been retired since, because what it predicted has happened. */
async function findLastEta(
  pool: Service['pool'],
  accountId: string,
  { claims, projection }: { readonly claims: readonly KeptClaim[]; readonly projection: ShipmentProjection },
): Promise<KeptClaim | null> {
  const claimId = projection.podEta?.claimId ?? null
  if (claimId === null) return null
  const standing = claims.find(({ id }) => id === claimId)
  return standing ?? (await claimsOnRecord(pool, { accountId, ids: [claimId] }))[0] ?? null
}
