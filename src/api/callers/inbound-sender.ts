/**
 * Who sends to the address for messages of partners, and the body of the request. The body of a known sender is read; a
 * signed body must be hashed first to find the sender.
 */

import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { checkAddress, noteGoodKey, noteWrongKey } from '../../modules/api-keys/failed-keys.ts'
import { findSender, type Proof, type Sender, type SignatureCheck } from '../../modules/channels/find-sender.ts'
import type { Service } from '../../modules/service.ts'
import {
  admitRequest,
  type ChannelCapacity,
  noteBytes,
  openChannelCapacity,
  reserveUnverifiedBody,
} from '../../pipeline/ingestion/channel-quotas.ts'
import { type SpooledBody, spoolBody } from '../../pipeline/ingestion/spool-body.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { Problem } from '../errors/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    sender?: Sender
    /** What it uses of the capacity of its channel; absent while its sender is not proved. */
    capacity?: ChannelCapacity
  }
}

function readProofHeaders({ headers }: FastifyRequest): Proof {
  const header = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  return {
    authorization: header('authorization'),
    webhookId: header('webhook-id'),
    webhookTimestamp: header('webhook-timestamp'),
    webhookSignature: header('webhook-signature'),
    notificationSignature: header('notification-signature'),
  }
}

export async function identifySender(service: Service, request: FastifyRequest): Promise<Sender> {
  const { ip: address } = request
  const proof = readProofHeaders(request)
  const header = proof.authorization ?? ''
  checkAddress(service, { address, header })
  admitRequest(service, { address }, declaredLengthOf(request))
  const { channel } = request.params as { readonly channel: string }
  const sender = await findSender(service, channel, proof)
  if (sender === null) throw refuseSender(service, request)
  if (sender.kind === 'proved') {
    noteGoodKey(service, header)
    admitRequest(service, { channelId: sender.channel.id }, declaredLengthOf(request))
    reserveCapacity(service, request, sender.channel.id, declaredLengthOf(request))
  }
  return sender
}

function reserveCapacity(service: Service, request: FastifyRequest, channelId: string, bytes: number): void {
  request.capacity = openChannelCapacity(service, channelId)
  request.capacity.holdBytes(bytes)
}

function declaredLengthOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

function refuseSender(service: Service, { ip }: FastifyRequest): Problem {
  noteWrongKey(service, ip)
  return unprovedSenderProblem()
}

export function unprovedSenderProblem(): Problem {
  return new Problem(
    'unauthenticated',
    { detail: "Send the channel's key as `Authorization: Bearer <key>`, or sign the body with its secret." },
    { 'www-authenticate': 'Bearer realm="Landfall inbound"' },
  )
}

/** Reads the body. Throws when the sender is not proved. */
export async function readBody(service: Service, request: FastifyRequest, body: Readable): Promise<Buffer> {
  const { sender, ip: address } = request
  // A refusal before the end of the body is still answered, so the connection must stay open.
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  if (sender === undefined) throw unprovedSenderProblem()
  if (declaredLengthOf(request) > deliveryBytesMax) throw bodyTooLargeProblem()
  if (sender.kind === 'signing') return readSignedBody(service, { request, pieces, signing: sender.signing })
  const held: Buffer[] = []
  let byteCount = 0
  for await (const piece of pieces) {
    byteCount += piece.length
    if (byteCount > deliveryBytesMax) break
    held.push(piece)
  }
  const unannounced = byteCount - declaredLengthOf(request)
  noteBytes(service, { address }, unannounced)
  noteBytes(service, { channelId: sender.channel.id }, unannounced)
  if (byteCount > deliveryBytesMax) throw bodyTooLargeProblem()
  return Buffer.concat(held)
}

/**
 * A signature can be used only once. So it is used only after the quotas have admitted the body: a sender who must wait
 * can send the same signature again.
 */
async function readSignedBody(
  service: Service,
  of: {
    readonly request: FastifyRequest
    readonly pieces: AsyncIterable<Buffer>
    readonly signing: SignatureCheck
  },
): Promise<Buffer> {
  const { request, pieces, signing } = of
  const { ip: address } = request
  const giveBack = reserveUnverifiedBody(service, address)
  let body: SpooledBody | null = null
  try {
    body = await spoolBody(pieces, { bytesMax: deliveryBytesMax, hash: signing.hash })
    noteBytes(service, { address }, (body?.byteCount ?? deliveryBytesMax) - declaredLengthOf(request))
    if (body === null) throw bodyTooLargeProblem()
    const signed = signing.end()
    if (signed === null) throw refuseSender(service, request)
    admitRequest(service, { channelId: signed.channel.id }, body.byteCount)
    reserveCapacity(service, request, signed.channel.id, body.byteCount)
    if (!(await signed.use())) throw refuseSender(service, request)
    request.sender = { kind: 'proved', channel: signed.channel }
    return await body.read()
  } finally {
    giveBack()
    await body?.close()
  }
}

function bodyTooLargeProblem(): Problem {
  return new Problem('too_large', { detail: `The body has more than ${deliveryBytesMax} bytes.` })
}
