/** What came through channels, for the operator: everything, for all accounts. Accounts cannot get here. */

import { readInboundBody } from '../../pipeline/ingestion/inbound-messages-sql.ts'
import { type ReplayResult, replayMessageParts } from '../../pipeline/ingestion/replay-message-parts.ts'
import { decryptBody } from '../../pipeline/response-archive/encrypted-bodies.ts'
import { getChannel } from '../channels/channels.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  findMessageRow,
  type InboundMessageReading,
  listChannelMessageRows,
  type MessageStatus,
} from './list-inbound-messages-sql.ts'

/** Newest first. */
export async function listChannelMessages(
  service: Service,
  of: { readonly channel: string; readonly status: MessageStatus | null; readonly limit: number },
): Promise<readonly InboundMessageReading[]> {
  const { id: channelId } = await getChannel(service, of.channel)
  return listChannelMessageRows(service.pool, { channelId, status: of.status, limit: of.limit })
}

/** Its `accountId` is null if its channel is for the whole installation. */
export async function getAnyMessage(
  service: Service,
  id: string,
): Promise<InboundMessageReading & { readonly accountId: string | null }> {
  const message = await findMessageRow(service.pool, id)
  if (message === null) throw notFound('inbound message')
  return message
}

/** The message as it came, with the names of sender and receiver and the message parts for all accounts. */
export async function downloadAnyMessage(
  service: Service,
  of: { readonly id: string; readonly component: 'body' | 'acknowledgement' },
): Promise<Buffer> {
  const { accountId } = await getAnyMessage(service, of.id)
  const stored = await readInboundBody(service.pool, { accountId, id: of.id })
  const { body = null, acknowledgement = null } = stored ?? {}
  const place = { table: 'inbound_messages', id: of.id } as const
  const bytes = of.component === 'body' ? body && decryptBody(service.encryption, body, place) : acknowledgement
  if (bytes !== null) return bytes
  throw new ServiceError(
    'not_found',
    of.component === 'body'
      ? 'The message itself is no longer stored. What was read from it is still valid.'
      : 'There is no acknowledgement of this message.',
  )
}

export async function replayAnyMessage(service: Service, id: string): Promise<ReplayResult> {
  const { accountId } = await getAnyMessage(service, id)
  return replayMessageParts(service, { accountId, messageId: id })
}
