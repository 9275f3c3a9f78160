/**
 * /v2/inbound/:channel: accepts messages that partners send by themselves. It needs the key of the channel; keys of
 * accounts do not work here.
 */

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../../../platform/json-schema.ts'
import { deliveryBytesMax } from '../../../../service/ground/delivery-size.ts'
import { type TakenIn, takeIn } from '../../../../service/hearing/intake/take-in.ts'
import type { Service } from '../../../../service/service.ts'
import { sourceIssueKinds } from '../../../../sources/source-issue.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { json, jsonApi } from '../../../http/media-type.ts'
import { headerFault, Problem } from '../../../http/problem.ts'
import { sendText } from '../../answering/answer.ts'
import { notProved, readBody, senderOf } from '../../caller/inbound-sender.ts'
import { operation } from '../../description/operation.ts'

const inflate = promisify(gunzip)

const issue = schema.object({
  kind: schema.oneOf(sourceIssueKinds),
  lost: schema.oneOf(['answer', 'event', 'field', 'nothing']),
  place: schema.text({ description: 'A JSON pointer, or the number of segment and element: `/12/3`.' }),
  detail: schema.text(),
})
const answer = schema.object(
  {
    id: schema.text({ description: 'Id of the delivery.' }),
    is_repeated: Type.Boolean({
      description: 'True: it was already sent under this key and is not read again.',
    }),
    items: schema.list(
      schema.object({
        part: Type.Integer({ minimum: 1 }),
        about: schema.list(schema.object({ kind: schema.text(), number: schema.text() })),
        result: schema.oneOf(['accepted', 'repeated', 'unmapped']),
        issues: schema.list(issue),
      }),
    ),
    faults: schema.list(issue),
    acknowledgement: schema.textOrNull({
      description: 'The acknowledgement of an interchange (997, 999, CONTRL), if the channel asks for one.',
    }),
  },
  { description: 'Stored. The shipments that it is about are found afterwards.' },
)

export function inbound(app: FastifyInstance, service: Service): void {
  app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (request: FastifyRequest, body: Readable) =>
      readBody(service, request, body),
    )
    // Checks the sender before any byte of the body is read.
    door.addHook('onRequest', async (request) => {
      request.sender = await senderOf(service, request)
    })
    door.post<{ Params: { readonly channel: string } }>(
      '/v2/inbound/:channel',
      {
        config: { isOpen: true },
        bodyLimit: deliveryBytesMax,
        schema: {
          ...operation({
            id: 'sendInbound',
            tag: 'Inbound',
            path: { channel: 'Name of the channel.' },
            status: 202,
            answer,
            refusals: [413, 415, 422],
            never: [403, 404, 406],
            summary: 'Send events, messages and statements to a channel',
            description:
              "`Authorization: Bearer <the channel's key>`, or a signature of the body (Standard Webhooks, or DCSA's `Notification-Signature`). Up to 32 MB, also with `Content-Encoding: gzip`. A delivery with the same `Idempotency-Key` is accepted once. A part with the same id of its sender is accepted once too.",
          }),
          security: [],
          consumes: [
            'application/json',
            'application/x-ndjson',
            'application/edi-x12',
            'application/edifact',
          ],
          produces: [jsonApi, json],
        },
      },
      async (request, reply) => {
        const taken = await receive(service, request)
        reply.status(202).headers({ 'content-type': json, 'cache-control': 'no-store' })
        return sendText(reply, JSON.stringify(writeTaken(taken)))
      },
    )
  })
}

async function receive(service: Service, request: FastifyRequest): Promise<TakenIn> {
  // The body parser runs only when there is a body. Without one, the sender is checked here.
  const sent = Buffer.isBuffer(request.body)
    ? request.body
    : await readBody(service, request, Readable.from([]))
  const { sender } = request
  if (sender?.kind !== 'proved') throw notProved()
  return takeIn(service, sender.channel, {
    body: await decoded(request, sent),
    contentType: request.headers['content-type']?.slice(0, 200) ?? null,
    idempotencyKey: keyOf(request),
  })
}

async function decoded({ headers }: FastifyRequest, sent: Buffer): Promise<Buffer> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return sent
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Problem('unsupported_media_type', { detail: 'A body is sent as it is, or with gzip.' })
  try {
    return await inflate(sent, { maxOutputLength: deliveryBytesMax })
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem('too_large', { detail: `The body has more than ${deliveryBytesMax} bytes unpacked.` })
    throw headerFault('malformed', 'Content-Encoding', 'The body is no gzip.')
  }
}

/** `webhook-id` is another name for the same key. */
function keyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'] ?? headers['webhook-id']
  if (given === undefined) return null
  if (typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given)) return given
  throw headerFault('malformed', 'Idempotency-Key', 'An `Idempotency-Key` has 1 to 255 visible characters.')
}

type Issues = TakenIn['faults']

function writeIssues(issues: Issues) {
  return issues.map(({ kind, lost, path, detail }) => ({ kind, lost, place: path, detail }))
}

function writeTaken({ messageId, isRepeated, items, faults, acknowledgement }: TakenIn) {
  return {
    id: messageId,
    is_repeated: isRepeated,
    items: items.map(({ issues, ...item }) => ({ ...item, issues: writeIssues(issues) })),
    faults: writeIssues(faults),
    acknowledgement: acknowledgement?.toString('latin1') ?? null,
  }
}
