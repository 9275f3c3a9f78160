/**
 * The pick-up number of a container, for whoever of the account asks for it by itself: it fetches the cargo, so it stands in
 * no document, event or list. The first reading by each key or person is in the record of changes.
 */

import { believe } from '../../../core/facts.ts'
import type { Source } from '../../../core/observation.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import { hasAuditEvent } from '../../../store/audit.ts'
import { inTransaction } from '../../../store/database.ts'
import { type PickupClaim, pickupClaims } from '../../../store/read/pickup-claims.ts'
import { shipmentOfContainer, tripsOfShipment } from '../../../store/shipments.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { keyOfWord } from '../../ledger/persons-words.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'

export interface PickupNumber {
  /** Null where nobody said it that may be heard by this account. */
  readonly number: string | null
  readonly source: Source | null
  /** Since when it stands. */
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
  // What others than people say does not name the trip: it is of the last.
  const meant = claims.filter(({ source, observation: { key, equipment } }) =>
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
