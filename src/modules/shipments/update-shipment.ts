/**
 * Changes the customer's reference numbers and tags of a shipment: replaces them all, or adds and removes single
 * references. Fields that are left out stay.
 */

import type { Db } from '../../db/database.ts'
import { normalizeTexts, textsMax } from '../../pipeline/ledger/normalize-texts.ts'
import type { Context } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { PreconditionCheck } from '../require-current.ts'
import type { Service } from '../service.ts'
import { actOnShipment } from './act-on-shipment.ts'
import { requireCurrentShipment } from './check-shipment.ts'
import { readShipments, type ShipmentReading } from './list-shipments-sql.ts'

interface ShipmentLabels {
  readonly refNumbers?: readonly string[]
  /** Added after the existing ones; not together with `refNumbers`. A reference that exists already stays as it is. */
  readonly addRefNumbers?: readonly string[]
  /**
   * Not together with `refNumbers`. A reference that does not exist is refused; `meta` then lists the existing ones.
   */
  readonly removeRefNumbers?: readonly string[]
  readonly tags?: readonly string[]
}

export async function updateShipment(
  service: Service,
  context: Context,
  input: ShipmentLabels & {
    readonly id: string
    readonly ifCurrent?: PreconditionCheck<ShipmentReading> | null
  },
): Promise<void> {
  const { tags, addRefNumbers: add, removeRefNumbers: remove } = input
  const isStepwise = add !== undefined || remove !== undefined
  if (isStepwise && input.refNumbers !== undefined)
    throw new ServiceError(
      'invalid',
      'Either replace the reference numbers whole (`ref_numbers`), or add and remove single ones.',
    )
  await actOnShipment(service, context, {
    shipmentId: input.id,
    check: requireCurrentShipment(context, input),
    action: async (db) => {
      const refNumbers = isStepwise ? await computeRefNumbers(db, context, input) : input.refNumbers
      return {
        action: 'update_shipment',
        ...(refNumbers === undefined ? {} : { refNumbers: normalizeTexts(refNumbers) }),
        ...(tags === undefined ? {} : { tags: normalizeTexts(tags) }),
      }
    },
  })
}

async function computeRefNumbers(
  db: Db,
  { account }: Context,
  { id, addRefNumbers = [], removeRefNumbers = [] }: ShipmentLabels & { readonly id: string },
): Promise<readonly string[]> {
  const [shipment] = await readShipments(db, { accountId: account.id, ids: [id] })
  if (shipment === undefined) throw notFound('shipment')
  const { refNumbers: known } = shipment
  const removed = normalizeTexts(removeRefNumbers)
  const missing = removed.filter((each) => !known.includes(each))
  if (missing.length > 0)
    throw new ServiceError(
      'invalid',
      `\`remove_ref_numbers\`: the shipment has no reference ${missing.map((each) => `“${each}”`).join(', ')}. Nothing was changed.`,
      { meta: { ref_numbers: known } },
    )
  const after = normalizeTexts([...known.filter((each) => !removed.includes(each)), ...addRefNumbers])
  if (after.length > textsMax)
    throw new ServiceError(
      'invalid',
      `\`add_ref_numbers\`: a shipment has ${textsMax} reference numbers at most, and would have ${after.length}.`,
    )
  return after
}
