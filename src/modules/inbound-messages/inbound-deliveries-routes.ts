/**
 * /v2/inbound/:channel: accepts messages that partners send by themselves. It needs the key of the channel; keys of
 * accounts do not work here.
 */

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { identifySender, readBody, unprovedSenderProblem } from '../../api/callers/inbound-sender.ts'
import { headerFault, Problem } from '../../api/errors/problem.ts'
import { json, jsonApi } from '../../api/http/media-type.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { sendText } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { sourceIssueKinds } from '../../connectors/source-issue.ts'
import { type IngestedPart, type IngestResult, ingestDelivery } from '../../pipeline/ingestion/ingest-delivery.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { Type } from '../../platform/json-schema.ts'
import type { Service } from '../service.ts'

const inflate = promisify(gunzip)

const issue = schema.object({
  kind: schema.oneOf(sourceIssueKinds),
  lost: schema.oneOf(['answer', 'event', 'field', 'nothing']),
  place: schema.text({ description: 'A JSON pointer, or the number of segment and element: `/12/3`.' }),
  detail: schema.text(),
})
/** A delivery with more message parts gets a short answer: the first of those that need the sender's attention. */
const itemsMax = 1_000
const itemsOfShortAnswer = 100

const count = Type.Integer({ minimum: 0 })
const answer = schema.object(
  {
    id: schema.text({ description: 'Id of the delivery.' }),
    is_repeated: Type.Boolean({
      description: 'True: it was already sent under this key and is not read again.',
    }),
    counts: schema.object(
      { parts: count, accepted: count, repeated: count, unmapped: count, with_issues: count },
      { description: 'How many parts have each result, of the parts that this request stored.' },
    ),
    links: schema.object({
      self: schema.text({ description: 'The delivery with its parts, for its account.' }),
    }),
    items: schema.list(
      schema.object({
        part: Type.Integer({ minimum: 1 }),
        about: schema.list(schema.object({ kind: schema.text(), number: schema.text() })),
        result: schema.oneOf(['accepted', 'repeated', 'unmapped']),
        issues: schema.list(issue),
      }),
      {
        description: `The result of each part. If there are more than ${itemsMax} parts: only the first ${itemsOfShortAnswer} that are unmapped or have issues.`,
      },
    ),
    faults: schema.list(issue),
    acknowledgement: schema.textOrNull({
      description: 'The acknowledgement of an interchange (997, 999, CONTRL), if the channel asks for one.',
    }),
  },
  { description: 'The delivery is stored. Its shipments are found afterwards.' },
)

export function inboundDeliveries(app: FastifyInstance, service: Service): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request: FastifyRequest, body: Readable) => readBody(service, request, body))
    // Checks the sender before any byte of the body is read.
    scope.addHook('onRequest', async (request, reply) => {
      request.sender = await identifySender(service, request)
      // A request that breaks off has no answer, but its connection is closed.
      reply.raw.once('close', () => request.capacity?.giveBack())
    })
    scope.addHook('onResponse', async (request) => request.capacity?.giveBack())
    scope.post<{ Params: { readonly channel: string } }>(
      '/v2/inbound/:channel',
      {
        config: { isOpen: true },
        bodyLimit: deliveryBytesMax,
        schema: {
          ...describeOperation({
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
          consumes: ['application/json', 'application/x-ndjson', 'application/edi-x12', 'application/edifact'],
          produces: [jsonApi, json],
        },
      },
      async (request, reply) => {
        const received = await receiveDelivery(service, request)
        reply.status(202).headers({ 'content-type': json, 'cache-control': 'no-store' })
        return sendText(reply, JSON.stringify(writeReceipt(received)))
      },
    )
  })
}

async function receiveDelivery(service: Service, request: FastifyRequest): Promise<IngestResult> {
  // The body parser runs only when there is a body. Without one, the sender is checked here.
  const sent = Buffer.isBuffer(request.body) ? request.body : await readBody(service, request, Readable.from([]))
  const { sender } = request
  if (sender?.kind !== 'proved') throw unprovedSenderProblem()
  const body = await decodeBody(request, sent)
  request.capacity?.holdBytes(body.length)
  return ingestDelivery(service, sender.channel, {
    body,
    ...(request.capacity !== undefined && { capacity: request.capacity }),
    contentType: request.headers['content-type']?.slice(0, 200) ?? null,
    idempotencyKey: keyOf(request),
  })
}

async function decodeBody({ headers }: FastifyRequest, sent: Buffer): Promise<Buffer> {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return sent
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new Problem('unsupported_media_type', { detail: 'Send the body without Content-Encoding, or with gzip.' })
  try {
    return await inflate(sent, { maxOutputLength: deliveryBytesMax })
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem('too_large', { detail: `The body has more than ${deliveryBytesMax} bytes unpacked.` })
    throw headerFault('malformed', 'Content-Encoding', 'The body is not valid gzip.')
  }
}

/** `webhook-id` is another name for the same key. */
function keyOf({ headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'] ?? headers['webhook-id']
  if (given === undefined) return null
  if (typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given)) return given
  throw headerFault('malformed', 'Idempotency-Key', 'An `Idempotency-Key` has 1 to 255 visible characters.')
}

type Issues = IngestResult['faults']

function writeIssues(issues: Issues) {
  return issues.map(({ kind, lost, path, detail }) => ({ kind, lost, place: path, detail }))
}

function writeReceipt({ messageId, isRepeated, items, faults, acknowledgement }: IngestResult) {
  return {
    id: messageId,
    is_repeated: isRepeated,
    counts: countsOf(items),
    links: { self: `/v2/inbound_messages/${messageId}` },
    items: selectShownItems(items).map(({ issues, ...item }) => ({ ...item, issues: writeIssues(issues) })),
    faults: writeIssues(faults),
    acknowledgement: acknowledgement?.toString('latin1') ?? null,
  }
}

function countsOf(items: readonly IngestedPart[]) {
  const counts = { parts: items.length, accepted: 0, repeated: 0, unmapped: 0, with_issues: 0 }
  for (const { result, issues } of items) {
    counts[result] += 1
    if (issues.length > 0) counts.with_issues += 1
  }
  return counts
}

function selectShownItems(items: readonly IngestedPart[]): readonly IngestedPart[] {
  if (items.length <= itemsMax) return items
  return items.filter(({ result, issues }) => result === 'unmapped' || issues.length > 0).slice(0, itemsOfShortAnswer)
}
