/**
 * What came through the channels of an account: users list it, download it as it came, and let it be ingested again
 * once it is understood.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { readInboundBody } from '../../pipeline/ingestion/inbound-messages-sql.ts'
import { type ReplayResult, replayMessageParts } from '../../pipeline/ingestion/replay-message-parts.ts'
import { decryptBody } from '../../pipeline/response-archive/encrypted-bodies.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  type InboundMessageOrder,
  type InboundMessageReading,
  listInboundMessageRows,
  type MessageStatus,
} from './list-inbound-messages-sql.ts'

/** Newest first. */
export async function listMessages(
  service: Service,
  context: Context,
  input: {
    readonly filter: { readonly channel: string | null; readonly status: MessageStatus | null }
    readonly order?: InboundMessageOrder
    readonly page: PageRequest
  },
): Promise<Page<InboundMessageReading>> {
  requireScope(context, 'read')
  const { filter, order = '-received_at', page } = input
  return listInboundMessageRows(service.pool, {
    accountId: context.account.id,
    id: null,
    ...filter,
    order,
    page,
  })
}

export async function getMessage(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<InboundMessageReading> {
  requireScope(context, 'read')
  const { rows } = await listInboundMessageRows(service.pool, {
    accountId: context.account.id,
    id,
    channel: null,
    status: null,
    order: '-received_at',
    page: { number: 1, size: 1 },
  })
  const [message] = rows
  if (message === undefined) throw notFound('inbound message')
  return message
}

/** As it came. */
export async function downloadMessage(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<Buffer> {
  requireScope(context, 'read')
  const stored = await readInboundBody(service.pool, { accountId: context.account.id, id })
  if (stored === null) throw notFound('inbound message')
  if (stored.body === null)
    throw new ServiceError('not_found', 'The message itself is no longer stored. What was read from it is still valid.')
  return decryptBody(service.encryption, stored.body, { table: 'inbound_messages', id })
}

/** The acknowledgement of the message. */
export async function downloadAcknowledgement(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<Buffer> {
  requireScope(context, 'read')
  const stored = await readInboundBody(service.pool, { accountId: context.account.id, id })
  if (stored === null) throw notFound('inbound message')
  if (stored.acknowledgement === null)
    throw new ServiceError(
      'not_found',
      'There is no acknowledgement of this message: its channel sends none, or none was needed.',
    )
  return stored.acknowledgement
}

/**
 * Message parts that were not understood are read again by the present reader and mapping, and ingested again. Returns
 * how many.
 */
export async function replayMessage(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<ReplayResult> {
  requireScope(context, 'write')
  await getMessage(service, context, { id })
  return replayMessageParts(service, { accountId: context.account.id, messageId: id })
}
