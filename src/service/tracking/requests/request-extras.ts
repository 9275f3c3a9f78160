/**
 * What a tracking request may contain besides its number: the customer that it is for, and custom fields for its
 * shipment and containers.
 */

import type { Db } from '../../../store/database.ts'
import { entityExists } from '../../../store/tracking/custom-fields.ts'
import type { Context } from '../../context.ts'
import { refusedAt } from '../../errors.ts'
import { recordTrackingChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'
import { type InitialFieldsInput, keepInitialFields } from '../custom-fields/initial-fields.ts'

export interface RequestExtras {
  /** A party of the account. */
  readonly customerId?: string | null
  readonly initialFields?: InitialFieldsInput | null
}

/** The message to a channel that made a request. */
export interface HeardOf {
  readonly channel: string
  readonly messageId: string
}

/** As they are in the ledger. The values of custom fields are not, because users change them outside the fold. */
export interface RecordedExtras {
  readonly customerId: string | null
  readonly hasInitialFields: boolean
}

/** Refuses a customer that the account does not have. */
export async function checkExtras(db: Db, context: Context, extras: RequestExtras): Promise<RecordedExtras> {
  const { customerId = null, initialFields = null } = extras
  const key = { accountId: context.account.id, type: 'Party' as const }
  if (customerId !== null && !(await entityExists(db, { ...key, id: customerId }))) {
    throw refusedAt('/data/relationships/customer/data/id', 'There is no party of this id.')
  }
  const fields = [...(initialFields?.shipment ?? []), ...(initialFields?.containers ?? [])]
  return { customerId, hasInitialFields: fields.length > 0 }
}

/** Runs in the transaction that made the request. */
export async function keepExtras(
  db: Db,
  service: Service,
  context: Context,
  of: {
    readonly id: string
    readonly extras: RequestExtras
    readonly heardOf: HeardOf | undefined
  },
): Promise<void> {
  const { id, heardOf } = of
  const { initialFields = null } = of.extras
  if (initialFields !== null)
    await keepInitialFields(db, service, context, { trackingRequestId: id, fields: initialFields })
  await recordTrackingChange(db, service, context, {
    action: 'tracking_request.created',
    target: { type: 'tracking_request', id },
    diff:
      heardOf === undefined
        ? null
        : { channel: [null, heardOf.channel], inbound_message: [null, heardOf.messageId] },
  })
}
