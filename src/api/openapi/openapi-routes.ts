/**
 * /v2/openapi.json, which `npm run openapi` has generated from the routes, and /docs, readable pages made from that document. None needs a key.
 */

import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from '../../platform/json-schema.ts'
import { Problem } from '../errors/problem.ts'
import { json } from '../http/media-type.ts'
import { sendText } from '../responses/send.ts'
import { type OpenApiDocument, writeDocsPages } from './docs-page.ts'

const file = new URL('../../../docs/openapi.json', import.meta.url)
const open = { config: { isOpen: true } } as const

export function apiDescription(app: FastifyInstance): void {
  // Read once, at the first request.
  let document: { readonly text: string; readonly pages: ReadonlyMap<string, string> } | null = null
  const read = () => {
    if (document !== null) return document
    const described = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
    document = { text: JSON.stringify(described), pages: writeDocsPages(described) }
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
  // Where people and programs expect them.
  app.get('/openapi.json', hidden, async (_request, reply) => reply.redirect('/v2/openapi.json', 308))
  app.get('/docs/errors', hidden, async (_request, reply) => reply.redirect('/docs/guide/errors', 308))
  app.get('/docs', hidden, async (_request, reply) => sendPage(reply, ''))
  app.get('/docs/:name', hidden, async (request, reply) =>
    sendPage(reply, (request.params as { readonly name: string }).name),
  )
}
