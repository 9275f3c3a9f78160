/**
 * /v2/openapi.json, generated from the routes, and /docs, a readable page made from that document. Neither needs a key.
 */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../../platform/json-schema.ts'
import { json } from '../../http/media-type.ts'
import { sendText } from '../answering/answer.ts'
import { type OpenApiDocument, writeDocsPage } from '../description/docs-page.ts'

const open = { config: { isOpen: true } } as const

export function description(app: FastifyInstance): void {
  // Written once, at the first request: the routes do not change while the process runs.
  let document: { readonly text: string; readonly page: string } | null = null
  const read = () => {
    if (document !== null) return document
    const text = JSON.stringify(app.swagger())
    document = { text, page: writeDocsPage(JSON.parse(text) as OpenApiDocument) }
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

  app.get('/docs', { ...open, schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(read().page),
  )
}
