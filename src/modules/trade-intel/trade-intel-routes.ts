/**
 * /v2/trade_intel: records of US import bills, which Landfall does not have. Programs that know these addresses of the
 * v2 API are told so in the form that they expect, which is not JSON:API.
 */

import type { FastifyInstance } from 'fastify'

const posts = [
  'companies/search',
  'companies/profile',
  'commodities/search',
  'importers/top',
  'trends',
  'breakdown',
  'containers/lookup',
  'bills_of_lading/lookup',
]

export function tradeIntel(app: FastifyInstance): void {
  const addresses = [['GET', 'meta'] as const, ...posts.map((path) => ['POST', path] as const)]
  for (const [method, path] of addresses)
    app.route({
      method,
      url: `/v2/trade_intel/${path}`,
      schema: { hide: true },
      handler: async (_request, reply) =>
        reply.code(403).type('application/json').send({ error: 'Trade data is not enabled for this account.' }),
    })
}
