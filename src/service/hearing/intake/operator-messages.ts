/**
 * What came through channels, for the operator: the whole of it, whichever account it is for. Accounts cannot get here.
 */

import { readInboundBody } from '../../../store/inbound/inbound-messages.ts'
import {
  findMessageRow,
  type InboundMessageReading,
  listChannelMessageRows,
  type MessageStatus,
} from '../../../store/read/inbound-messages.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { openBody } from '../../ground/sealed-bodies.ts'
import type { Service } from '../../service.ts'
import { getChannel } from './channels.ts'
import { type Replayed, replayParts } from './replay.ts'

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

/** The message as it came, with the names of sender and receiver and the parts for all accounts. */
export async function downloadAnyMessage(
  service: Service,
  of: { readonly id: string; readonly part: 'body' | 'acknowledgement' },
): Promise<Buffer> {
  const { accountId } = await getAnyMessage(service, of.id)
  const kept = await readInboundBody(service.pool, { accountId, id: of.id })
  const { body = null, acknowledgement = null } = kept ?? {}
  const place = { table: 'inbound_messages', id: of.id } as const
  const bytes = of.part === 'body' ? body && openBody(service.vault, body, place) : acknowledgement
  if (bytes !== null) return bytes
  throw new ServiceError(
    'not_found',
    of.part === 'body'
      ? 'The message itself is no longer stored. What was read from it is still valid.'
      : 'There is no answer to this message.',
  )
}

export async function replayAnyMessage(service: Service, id: string): Promise<Replayed> {
  const { accountId } = await getAnyMessage(service, id)
  return replayParts(service, { accountId, messageId: id })
}
