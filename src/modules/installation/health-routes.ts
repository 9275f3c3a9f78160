/**
 * /healthz (the process lives), /readyz (it can do its work) and /metrics (its counters). Open to all; they show no
 * data.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../api/errors/problem.ts'
import { json, jsonApi } from '../../api/http/media-type.ts'
import { sendText } from '../../api/responses/send.ts'
import { object, oneOf, ref } from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { programVersion } from '../../platform/program-version.ts'
import type { Service } from '../service.ts'
import { isReady } from './is-ready.ts'
import { type MetricsReader, mayReadMetrics } from './may-read-metrics.ts'

const open = { config: { isOpen: true } } as const
const common = { tags: ['Operations'], security: [], produces: [json] }

export function health(app: FastifyInstance, service: Service, place: 'api' | 'own_port' = 'api'): void {
  const live = object(
    {
      status: oneOf(['live']),
      version: Type.String({
        description: 'The version of this process, as `landfall --version` prints it.',
      }),
    },
    { description: 'The process runs.' },
  )
  const schema = {
    ...common,
    operationId: 'getHealth',
    summary: 'Check that the process runs',
    response: { 200: live },
  }
  app.get('/healthz', { ...open, schema }, async (_request, reply) => {
    return sendText(
      reply.header('content-type', json).header('cache-control', 'no-store'),
      JSON.stringify({ status: 'live', version: programVersion }),
    )
  })

  const ready = object(
    {
      status: oneOf(['ready', 'not_ready']),
      database: Type.Boolean({ description: 'True: the database answers.' }),
      migrations: Type.Boolean({ description: 'True: the database has the schema of this version.' }),
      writes: Type.Boolean({
        description: 'True: the database can write: its disk is not full, and it is not a standby.',
      }),
      paused: Type.Boolean({
        description:
          'True: this is a restored copy. It polls, sends and delivers nothing until `landfall resume`. Its API answers requests.',
      }),
      troubles: Type.Array(Type.String(), {
        description: 'Faults that the operator must repair. The log says for each what to do.',
      }),
      replicas: Type.Optional(
        object(
          { total: Type.Integer({ minimum: 0 }), used: Type.Integer({ minimum: 0 }) },
          {
            description:
              'Read replicas of the database, and how many of them are used just now. Missing when there are none. The process is ready without them.',
          },
        ),
      ),
    },
    { description: 'Whether the database answers, has the schema of this version and can write.' },
  )
  app.get(
    '/readyz',
    {
      ...open,
      schema: {
        ...common,
        operationId: 'getReadiness',
        summary: 'Check that the process can do its work',
        response: { 200: ready, 503: ready },
      },
    },
    async (_request, reply) => {
      const { isReady: isFine, ...state } = await isReady(service)
      reply.status(isFine ? 200 : 503)
      reply.headers({
        'content-type': json,
        'cache-control': 'no-store',
        ...(isFine ? {} : { 'retry-after': '5' }),
      })
      return sendText(reply, JSON.stringify({ status: isFine ? 'ready' : 'not_ready', ...state }))
    },
  )

  const text = Type.String({ description: 'Prometheus text format.' })
  const content = Object.fromEntries([jsonApi, json].map((media) => [media, { schema: ref('errors') }]))
  app.get(
    '/metrics',
    {
      ...open,
      schema: {
        ...common,
        produces: ['text/plain'],
        operationId: 'getMetrics',
        summary: 'Get the counters for Prometheus',
        response: {
          200: text,
          403: { description: 'Forbidden', content },
          404: { description: 'Not Found', content },
          500: { description: 'Internal Server Error', content },
        },
      },
    },
    async (request, reply) => {
      const may = mayReadMetrics(service.config, place, readerOf(request))
      if (may === 'off') throw new Problem('not_found', { detail: 'There is nothing at this address.' })
      if (may === 'no') throw new Problem('forbidden', { detail: notForYou })
      return reply.header('content-type', service.metrics.contentType).send(await service.metrics.write())
    },
  )
}

const notForYou =
  'Only programs on this machine that connect directly can read the counters. LANDFALL_METRICS, LANDFALL_METRICS_PORT and LANDFALL_METRICS_TOKEN let others read them.'

function readerOf({ raw, headers }: FastifyRequest): MetricsReader {
  const isProxy = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers)
  return {
    address: raw.socket.remoteAddress ?? '',
    isProxy,
    token: /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
  }
}
