/**
 * The pick-up number of a container, for a key or person of the account that asks for it explicitly. With it anybody
 * can fetch the cargo, so it is in no document, event or list. The first reading by each key or person is recorded in
 * the audit log.
 */

import { believe } from '../../../core/journey/facts.ts'
import type { Source } from '../../../core/statements/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import { inTransaction } from '../../../store/database.ts'
import { shipmentOfContainer, tripsOfShipment } from '../../../store/journeys/shipments.ts'
import { hasAuditEvent } from '../../../store/people/audit.ts'
import { type PickupClaim, pickupClaims } from '../../../store/read/pickup-claims.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { keyOfWord } from '../../ledger/persons-words.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'

export interface PickupNumber {
  /** Null when no source that this account may read has said it. */
  readonly number: string | null
  readonly source: Source | null
  /** Since when the claim stands. */
  readonly saidAt: string | null
}

const nobodySaid: PickupNumber = { number: null, source: null, saidAt: null }

export async function readPickupNumber(
  service: Service,
  context: Context,
  { containerId }: { readonly containerId: string },
): Promise<PickupNumber> {
  requireScope(context, 'read')
  if (context.isEmbedded === true)
    throw new ServiceError('forbidden', 'A page that anybody may open is not shown a pick-up number.')
  const accountId = context.account.id
  const shipmentId = await shipmentOfContainer(service.pool, { accountId, containerId })
  if (shipmentId === null) throw notFound('container')
  const boxes = await tripsOfShipment(service.pool, { accountId, shipmentId })
  const box = boxes.find(({ id }) => id === containerId)
  if (box === undefined) throw notFound('container')
  const isOnly = new Set(boxes.map(({ number }) => number)).size === 1
  const isLast = !boxes.some(({ number, trip }) => number === box.number && trip > box.trip)
  const word = keyOfWord('pickup_number', box)
  const claims = await pickupClaims(service.pool, { accountId, shipmentId, number: box.number })
  // Sources other than people do not name the trip, so what they say is about the last trip.
  const standing = claims.filter(({ observation }) => !observation.isRetracted)
  const meant = standing.filter(({ source, observation: { key, equipment } }) =>
    source.kind === 'user' ? key === word : isLast && (equipment !== null || isOnly),
  )
  const believed = believe('pickup_number', meant)
  if (believed === null) return nobodySaid
  const claim = believed.claim as typeof believed.claim & PickupClaim
  await recordReading(service, context, { containerId, claimId: claim.id })
  const { source, standsAt } = claim
  return { number: service.vault.openSame(believed.value), source, saidAt: standsAt }
}

async function recordReading(
  service: Service,
  context: Context,
  { containerId, claimId }: { readonly containerId: string; readonly claimId: string },
): Promise<void> {
  const { actor, account } = context
  const who = actor.kind === 'system' ? 'system' : `${actor.kind} ${actor.id}`
  const id = uuidV5(LANDFALL_NAMESPACE, `pickup_number_read:${account.id}:${claimId}:${who}`)
  await takeAgain(() =>
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
