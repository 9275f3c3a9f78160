/**
 * What a tracking request may contain besides its number: the customer that it is for, other parties with their roles,
 * and custom fields for its shipment and containers.
 */

import type { Db } from '../../db/database.ts'
import type { PartyRoleName } from '../../domain/values/party-role.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Context } from '../access/context.ts'
import { recordTrackingChange } from '../audit/record-change.ts'
import { type InitialFieldsInput, storeInitialFields } from '../custom-fields/initial-fields.ts'
import { refusedAt } from '../errors.ts'
import { findMissingParty, insertPartyRole } from '../parties/party-roles-sql.ts'
import { realNow, type Service } from '../service.ts'

export interface RequestExtras {
  /** A party of the account. */
  readonly customerId?: string | null
  /** Parties of the account, besides the customer. */
  readonly partyRoles?: readonly { readonly role: PartyRoleName; readonly partyId: string }[]
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

/** Refuses a party that the account does not have. */
export async function checkExtras(db: Db, context: Context, extras: RequestExtras): Promise<RecordedExtras> {
  const { customerId = null, partyRoles = [], initialFields = null } = extras
  const customer = customerId === null ? [] : [{ role: 'customer', partyId: customerId }]
  const missing = await findMissingParty(db, { accountId: context.account.id, wanted: [...customer, ...partyRoles] })
  if (missing !== undefined)
    throw refusedAt(`/data/relationships/${missing.role}/data/id`, 'There is no party of this id.')
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
  const { partyRoles = [], initialFields = null } = of.extras
  for (const each of partyRoles)
    await insertPartyRole(db, {
      ...each,
      accountId: context.account.id,
      id: uuidV7(service.clock.now()),
      recordType: 'tracking_request',
      recordId: id,
      createdAt: realNow(service),
    })
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
