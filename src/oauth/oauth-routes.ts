/**
 * The authorization server at the API's origin. Requests for `/oauth/*` and its metadata go to the library before
 * anything is parsed; the page on which a person agrees is our own. None of these routes exists while another issuer is
 * configured.
 */

import type { FastifyInstance } from 'fastify'
import { readPathParameter } from '../api/http/path-parameters.ts'
import { resourceMetadataRoutes } from '../mcp/transport/resource-metadata.ts'
import type { Service } from '../modules/service.ts'
import { appsPage } from './apps-page.ts'
import { consentPage } from './consent/consent-page.ts'
import { currentProvider } from './provider/current-provider.ts'
import { calledAs, toIssuer } from './to-issuer.ts'

const open = { config: { isOpen: true }, schema: { hide: true } } as const
const methods = ['GET', 'POST', 'OPTIONS', 'HEAD'] as const
const bodyBytesMax = 65_536

export function oauthRoutes(app: FastifyInstance, service: Service): void {
  resourceMetadataRoutes(app, service, { resource: 'api', paths: ['', '/v2'] })
  if (service.config.oauth.issuer !== null) return
  const provider = currentProvider(service)
  consentPage(app, service, provider)
  appsPage(app, service)
  app.register(async (scope) => {
    // The library reads bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [
      '/oauth/*',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/*',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/*',
    ])
      scope.route({
        ...open,
        method: [...methods],
        url,
        bodyLimit: bodyBytesMax,
        handler: async (request, reply) => {
          const subpath = url.startsWith('/.well-known/') ? readPathParameter(request.params, '*') : ''
          if (subpath !== '') return reply.callNotFound()
          const answer = (await provider(calledAs(request))).callback()
          const raw = toIssuer(service, request)
          reply.hijack()
          reply.raw.setHeader('x-request-id', request.id).setHeader('x-content-type-options', 'nosniff')
          await answer(raw, reply.raw)
        },
      })
  })
}
