/** Faults that the matrix and the fuzz run must find: each is added to an app before it is asked. */

import type { FastifyInstance } from 'fastify'
import { describeOperation, documentAnswer } from '../../src/api/openapi/operation.ts'
import type { TestService } from './service.ts'

export const plantNames = ['500', 'status', 'leak', 'redirect', 'slow'] as const
export type PlantName = (typeof plantNames)[number]

export const plants: Readonly<Record<PlantName, (app: FastifyInstance, test: TestService) => void>> = {
  /** An error in the code: a search that throws when the query has a small letter. */
  500: (app) => {
    app.addHook('preHandler', async (request) => {
      if (request.routeOptions.url === '/v2/search' && /[a-z]/.test(String(Object(request.query).query)))
        throw new TypeError('planted')
    })
  },
  /** A status that the document does not have. */
  status: (app) => {
    app.addHook('onSend', async (request, reply, payload) => {
      if (request.routeOptions.url === '/v2/parties/:id' && reply.statusCode === 404) reply.status(410)
      return payload
    })
  },
  /** A return address that is normalised only after it was checked. */
  redirect: (app) => {
    app.addHook('onSend', async (request, reply, payload) => {
      const next = String(Object(request.query).next)
      if (request.routeOptions.url === '/sign-in' && reply.statusCode === 303 && /^\/\.+\//.test(next))
        reply.header('location', URL.parse(next, 'http://localhost')?.pathname ?? '/account')
      return payload
    })
  },
  /** A pattern that the database evaluates; a pattern of a few characters can keep the database busy. */
  slow: (app, { service }) => {
    app.addHook('preHandler', async (request) => {
      const { data } = (request.body ?? {}) as {
        data?: { attributes?: { validation?: { pattern?: unknown } } }
      }
      const pattern = data?.attributes?.validation?.pattern
      if (request.routeOptions.url !== '/v2/custom_field_definitions' || typeof pattern !== 'string') return
      await service.pool.query(`select '' ~ $1`, [pattern]).catch((error: Error & { code?: string }) => {
        if (error.code !== '2201B') throw error
      })
    })
  },
  /** A route whose query has forgotten the account. */
  leak: (app, { service }) => {
    app.get(
      '/v2/shipments/:id/planted',
      {
        schema: describeOperation({
          id: 'getPlantedLeak',
          tag: 'Shipments',
          summary: 'Planted',
          path: { id: 'Id of the shipment.' },
          answer: documentAnswer('party'),
        }),
      },
      async (request, reply) => {
        const { id } = request.params as { readonly id: string }
        const { rows } = await service.pool.query<{ readonly id: string; readonly of: string }>(
          'select id, account_id as of from shipments where id::text = $1',
          [id],
        )
        const [row] = rows
        reply.status(row === undefined ? 404 : 200)
        const found = { data: { id: row?.id, type: 'party', attributes: { company_name: row?.of } } }
        const none = { status: '404', code: 'not_found', title: 'Not Found', detail: 'No such shipment.' }
        const links = { self: 'http://localhost/' }
        return reply.serializer(JSON.stringify).send(row === undefined ? { errors: [none] } : { ...found, links })
      },
    )
  },
}
