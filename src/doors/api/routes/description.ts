/**
 * /v2/openapi.json, generated from the routes, and /docs, readable pages made from that document. None needs a key.
 */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from '../../../platform/json-schema.ts'
import { json } from '../../http/media-type.ts'
import { Problem } from '../../http/problem.ts'
import { sendText } from '../answering/answer.ts'
import { type OpenApiDocument, writeDocsPages } from '../description/docs-page.ts'

const open = { config: { isOpen: true } } as const

export function description(app: FastifyInstance): void {
  // Written once, at the first request: the routes do not change while the process runs.
  let document: { readonly text: string; readonly pages: ReadonlyMap<string, string> } | null = null
  const read = () => {
    if (document !== null) return document
    const text = JSON.stringify(app.swagger())
    document = { text, pages: writeDocsPages(JSON.parse(text) as OpenApiDocument) }
    return document
  }

  app.get(
    '/v2/openapi.json',
    {
      ...open,
      schema: {
        tags: ['Operations'],
        security: [],
        operationId: 'getOpenApi',
        summary: 'Get this document',
        produces: [json],
        response: { 200: Type.Unsafe({ type: 'object', description: 'OpenAPI 3.1.' }) },
      },
    },
    async (_request, reply) => sendText(reply.header('content-type', json), read().text),
  )

  const sendPage = (reply: FastifyReply, name: string): FastifyReply => {
    const page = read().pages.get(name)
    if (page === undefined)
      throw new Problem('not_found', { detail: 'There is no such page. All operations are at /docs.' })
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      })
      .send(page)
  }
  const hidden = { ...open, schema: { hide: true } }
  app.get('/docs', hidden, async (_request, reply) => sendPage(reply, ''))
  app.get('/docs/:name', hidden, async (request, reply) =>
    sendPage(reply, (request.params as { readonly name: string }).name),
  )
}
