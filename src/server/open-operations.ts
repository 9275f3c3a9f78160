/** Health, readiness and counters at a separate port, apart from what clients use. Workers have no other port. */

import Fastify, { type FastifyInstance } from 'fastify'
import { Problem, problemOf, writeProblem } from '../api/errors/problem.ts'
import { keepAliveMs, limitConnections } from '../api/http/connections.ts'
import { json } from '../api/http/media-type.ts'
import { noCompilers } from '../api/http/no-compilers.ts'
import { errorTable } from '../api/shape/error-table.ts'
import { health } from '../modules/installation/health-routes.ts'
import type { Service } from '../modules/service.ts'

/** An app that is ready to listen. */
export function createOperationsApp(service: Service): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: noCompilers,
    requestTimeout: 30_000,
    keepAliveTimeout: keepAliveMs(service.config),
    forceCloseConnections: true,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  })
  limitConnections(app.server, service)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler((error, _request, reply) => {
    const problem = problemOf(error)
    if (problem.code === 'internal') service.metrics.requestCrashed({ route: 'operations', error })
    return reply
      .status(errorTable[problem.code].status)
      .headers({ ...problem.headers, 'content-type': json })
      .send(JSON.stringify(writeProblem(problem)))
  })
  app.setNotFoundHandler(async () => {
    throw new Problem('not_found', { detail: 'There is nothing at this address.' })
  })
  health(app, service, 'own_port')
  return app
}
