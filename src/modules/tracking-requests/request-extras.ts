/**
 * What a tracking request may contain besides its number: the customer that it is for, and custom fields for its
 * shipment and containers.
 */

import type { Db } from '../../db/database.ts'
import type { Context } from '../access/context.ts'
import { recordTrackingChange } from '../audit/record-change.ts'
import { entityExists } from '../custom-fields/custom-fields-sql.ts'
import { type InitialFieldsInput, storeInitialFields } from '../custom-fields/initial-fields.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'

export interface RequestExtras {
  /** A party of the account. */
  readonly customerId?: string | null
  readonly initialFields?: InitialFieldsInput | null
}

/** The message to a channel that made a request. */
export interface SourceMessage {
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
export async function storeExtras(
  db: Db,
  service: Service,
  context: Context,
  of: {
    readonly id: string
    readonly extras: RequestExtras
    readonly sourceMessage: SourceMessage | undefined
  },
): Promise<void> {
  const { id, sourceMessage } = of
  const { initialFields = null } = of.extras
  if (initialFields !== null)
    await storeInitialFields(db, service, context, { trackingRequestId: id, fields: initialFields })
  await recordTrackingChange(db, service, context, {
    action: 'tracking_request.created',
    target: { type: 'tracking_request', id },
    diff:
      sourceMessage === undefined
        ? null
        : { channel: [null, sourceMessage.channel], inbound_message: [null, sourceMessage.messageId] },
  })
}
