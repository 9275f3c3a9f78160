/**
 * Who sends to the address for messages of partners, and the body of the request. The body of a known sender is read; a
 * signed body must be hashed first to find the sender.
 */

import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { deliveryBytesMax } from '../../../service/ground/delivery-size.ts'
import { admit, noteBytes, takeUnprovenRoom } from '../../../service/hearing/intake/door-quotas.ts'
import {
  findSender,
  type Proof,
  type Sender,
  type Signing,
} from '../../../service/hearing/intake/prove-sender.ts'
import { type SpooledBody, spoolBody } from '../../../service/hearing/intake/unproven-body.ts'
import { checkAddress, noteGoodKey, noteWrongKey } from '../../../service/people/access/failed-keys.ts'
import type { Service } from '../../../service/service.ts'
import { Problem } from '../../http/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    sender?: Sender
  }
}

function proofOf({ headers }: FastifyRequest): Proof {
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

export async function senderOf(service: Service, request: FastifyRequest): Promise<Sender> {
  const { ip: address } = request
  const proof = proofOf(request)
  const header = proof.authorization ?? ''
  checkAddress(service, { address, header })
  admit(service, { address }, announcedOf(request))
  const { channel } = request.params as { readonly channel: string }
  const sender = await findSender(service, channel, proof)
  if (sender === null) throw refuseSender(service, request)
  if (sender.kind === 'proved') {
    noteGoodKey(service, header)
    admit(service, { channelId: sender.channel.id }, announcedOf(request))
  }
  return sender
}

function announcedOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

function refuseSender(service: Service, { ip }: FastifyRequest): Problem {
  noteWrongKey(service, ip)
  return notProved()
}

export function notProved(): Problem {
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
  if (sender === undefined) throw notProved()
  if (announcedOf(request) > deliveryBytesMax) throw tooLarge()
  if (sender.kind === 'signing') return readSigned(service, { request, pieces, signing: sender.signing })
  const held: Buffer[] = []
  let byteCount = 0
  for await (const piece of pieces) {
    byteCount += piece.length
    if (byteCount > deliveryBytesMax) break
    held.push(piece)
  }
  const unannounced = byteCount - announcedOf(request)
  noteBytes(service, { address }, unannounced)
  noteBytes(service, { channelId: sender.channel.id }, unannounced)
  if (byteCount > deliveryBytesMax) throw tooLarge()
  return Buffer.concat(held)
}

/**
 * A signature can be used only once. So it is used only after the quotas have admitted the body: a sender who must wait
 * can send the same signature again.
 */
async function readSigned(
  service: Service,
  of: { readonly request: FastifyRequest; readonly pieces: AsyncIterable<Buffer>; readonly signing: Signing },
): Promise<Buffer> {
  const { request, pieces, signing } = of
  const { ip: address } = request
  const giveBack = takeUnprovenRoom(service, address)
  let body: SpooledBody | null = null
  try {
    body = await spoolBody(pieces, { bytesMax: deliveryBytesMax, hash: signing.hash })
    noteBytes(service, { address }, (body?.byteCount ?? deliveryBytesMax) - announcedOf(request))
    if (body === null) throw tooLarge()
    const signed = signing.end()
    if (signed === null) throw refuseSender(service, request)
    admit(service, { channelId: signed.channel.id }, body.byteCount)
    if (!(await signed.use())) throw refuseSender(service, request)
    request.sender = { kind: 'proved', channel: signed.channel }
    return await body.read()
  } finally {
    giveBack()
    await body?.close()
  }
}

function tooLarge(): Problem {
  return new Problem('too_large', { detail: `The body has more than ${deliveryBytesMax} bytes.` })
}
