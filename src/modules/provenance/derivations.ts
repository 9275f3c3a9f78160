/** Projects a shipment again as it is now, and returns what the projection was made of. Writes nothing. */

import type { FactClaim } from '../../domain/journey/trip.ts'
import { leadOf, type ShipmentDerivation } from '../../domain/provenance/explain-shipment.ts'
import type { ContainerDerivation } from '../../domain/shipment/container-derivation.ts'
import { projectShipment } from '../../domain/shipment/shipment.ts'
import type { ContainerProjection, ShipmentProjection } from '../../domain/view/projection.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { summarizeRequests } from '../../pipeline/ledger/update-projection.ts'
import { claimsOnRecord, liveClaims, type StoredClaim } from '../../pipeline/projection/claims-sql.ts'
import { requestsOfShipment } from '../../pipeline/projection/tracking-requests-sql.ts'
import { rampAreaOf } from '../../reference/ramps.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { findPaperProofs, type PaperProof } from './paper-proofs.ts'
import { readShipmentState, type ShipmentState } from './shipment-state-sql.ts'

export interface ShipmentWithDerivations {
  readonly state: ShipmentState
  readonly shipment: ShipmentDerivation
  /** By id of the container. */
  readonly containers: ReadonlyMap<string, ContainerDerivation>
  /** All active claims, and the claim of the last ETA, by id. */
  readonly claims: ReadonlyMap<string, StoredClaim>
  /** For claims from documents: their places on the page; by id. */
  readonly papers: ReadonlyMap<string, PaperProof>
}

export async function deriveShipmentWithClaims(
  service: Service,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<ShipmentWithDerivations> {
  const { pool, config } = service
  const state = await readShipmentState(pool, { accountId: key.accountId, id: key.shipmentId })
  const requests = await requestsOfShipment(pool, key)
  if (state === null || requests.length === 0) throw notFound('shipment')
  const { request, subjectIds: pollTargetIds } = summarizeRequests(requests, key)
  const claims = await liveClaims(pool, {
    accountId: key.accountId,
    subjectIds: pollTargetIds,
    shipmentId: key.shipmentId,
  })
  const lastEta = await findLastEta(pool, key.accountId, { claims, projection: state.projection })
  const containerDerivations: ContainerDerivation[] = []
  const shipmentDerivation: { facts: readonly FactClaim[]; displayed: ContainerProjection | null } = {
    facts: [],
    displayed: null,
  }
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
      container: (made) => void containerDerivations.push(made),
      shipment: (made) => void Object.assign(shipmentDerivation, made),
    },
  })
  const explainedClaims = [...claims, ...(lastEta === null ? [] : [lastEta])]
  const derivationEntries = state.containers.flatMap(({ id, projection }) => {
    const made = containerDerivations.find(
      ({ container }) => container.number === projection.number && container.trip === projection.trip,
    )
    return made === undefined ? [] : [[id, made] as const]
  })
  return {
    state,
    shipment: {
      facts: shipmentDerivation.facts,
      lead: leadOf(containerDerivations, shipmentDerivation.displayed),
      lastEta,
    },
    containers: new Map(derivationEntries),
    claims: new Map(explainedClaims.map((claim) => [claim.id, claim])),
    papers: await findPaperProofs(service, key.accountId, explainedClaims),
  }
}

/** The claim may have been retired since, because what it predicted has happened. */
async function findLastEta(
  pool: Service['pool'],
  accountId: string,
  { claims, projection }: { readonly claims: readonly StoredClaim[]; readonly projection: ShipmentProjection },
): Promise<StoredClaim | null> {
  const claimId = projection.podEta?.claimId ?? null
  if (claimId === null) return null
  const active = claims.find(({ id }) => id === claimId)
  return active ?? (await claimsOnRecord(pool, { accountId, ids: [claimId] }))[0] ?? null
}
