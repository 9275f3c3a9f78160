/**
 * The pick-up number of a container, for a key or person of the account that requests it explicitly. With it anybody
 * can fetch the cargo, so it is in no document, event or list, and a read-only key does not get it. The first reading
 * by each key or person is recorded in the audit log.
 */

import { inTransaction } from '../../db/database.ts'
import { findBelievedFact } from '../../domain/journey/facts.ts'
import type { Source } from '../../domain/statements/observation.ts'
import { buildStatementKey } from '../../pipeline/ledger/person-statements.ts'
import { retryOnConflict } from '../../pipeline/ledger/retry-on-conflict.ts'
import { shipmentOfContainer, tripsOfShipment } from '../../pipeline/projection/shipments-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { hasAuditEvent } from '../audit/audit-events-sql.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { type PickupClaim, pickupClaims } from './pickup-claims-sql.ts'

export interface PickupNumber {
  /** Null when no source that this account may read has stated it. */
  readonly number: string | null
  readonly source: Source | null
  /** Since when the claim is active. */
  readonly statedAt: string | null
}

const noPickupNumber: PickupNumber = { number: null, source: null, statedAt: null }

export async function readPickupNumber(
  service: Service,
  context: Context,
  { containerId }: { readonly containerId: string },
): Promise<PickupNumber> {
  requireScope(context, 'read')
  if (context.isEmbedded === true)
    throw new ServiceError('forbidden', 'A page that is open to everybody does not show a pick-up number.')
  if (!context.scopes.includes('write'))
    throw new ServiceError('forbidden', 'Read access does not show a pick-up number: use a key that may write.')
  const accountId = context.account.id
  const shipmentId = await shipmentOfContainer(service.pool, { accountId, containerId })
  if (shipmentId === null) throw notFound('container')
  const containerTrips = await tripsOfShipment(service.pool, { accountId, shipmentId })
  const containerTrip = containerTrips.find(({ id }) => id === containerId)
  if (containerTrip === undefined) throw notFound('container')
  const isOnly = new Set(containerTrips.map(({ number }) => number)).size === 1
  const isLast = !containerTrips.some(
    ({ number, trip }) => number === containerTrip.number && trip > containerTrip.trip,
  )
  const statementKey = buildStatementKey('pickup_number', containerTrip)
  const claims = await pickupClaims(service.pool, { accountId, shipmentId, number: containerTrip.number })
  // Sources other than people do not name the trip, so their statements are about the last trip.
  const active = claims.filter(({ observation }) => !observation.isRetracted)
  const applicable = active.filter(({ source, observation: { key, equipment } }) =>
    source.kind === 'user' ? key === statementKey : isLast && (equipment !== null || isOnly),
  )
  const believed = findBelievedFact('pickup_number', applicable)
  if (believed === null) return noPickupNumber
  const claim = believed.claim as typeof believed.claim & PickupClaim
  await recordReading(service, context, { containerId, claimId: claim.id })
  const { source, standsAt: effectiveSince } = claim
  return { number: service.encryption.decryptDeterministic(believed.value), source, statedAt: effectiveSince }
}

async function recordReading(
  service: Service,
  context: Context,
  { containerId, claimId }: { readonly containerId: string; readonly claimId: string },
): Promise<void> {
  const { actor, account } = context
  const who = actor.kind === 'system' ? 'system' : `${actor.kind} ${actor.id}`
  const id = uuidV5(LANDFALL_NAMESPACE, `pickup_number_read:${account.id}:${claimId}:${who}`)
  await retryOnConflict(() =>
    inTransaction(service.pool, async (db) => {
      if (await hasAuditEvent(db, { accountId: account.id, id })) return
      const target = { type: 'container', id: containerId } as const
      await recordChange(db, service, context, {
        action: 'container.pickup_number_read',
        target,
        diff: null,
        id,
      })
    }),
  )
}
