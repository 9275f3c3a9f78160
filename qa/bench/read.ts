/**
 * How fast the API answers the most frequent question, compared with a route of the same Fastify that reads the same
 * bytes by primary key and sends them: the least that any answer from this database costs.
 */

import Fastify, { type FastifyInstance } from 'fastify'
import type { Pool } from '../../src/db/database.ts'
import { createApiKey } from '../../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../../src/server/app.ts'
import { type Installation, openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'
import { runProgram } from './program.ts'

const shipments = 100
const rounds = 7
const load = { connections: 32, seconds: 2, requestsMax: 60_000 }
const question = 'include=shipment,pod_terminal'

export async function benchRead(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    const context = await installation.newAccount()
    const tracked = await track(installation, context, makeShipments(shipments, 1))
    for (const version of [0, 1, 2]) {
      for (const each of tracked) await storeSnapshot(installation, each, version)
      await workOffTasks(installation)
    }
    await installation.service.pool.query('vacuum analyze')
    const { key } = await createApiKey(installation.service, {
      accountId: context.account.id,
      name: 'Benchmark',
      scopes: ['read'],
    })
    return [await measure(installation, key)]
  } finally {
    await installation.close()
  }
}

async function measure({ service, postgres }: Installation, key: string): Promise<Figure> {
  const app = await createApiApp(service)
  const bare = openBare(service.pool)
  try {
    const appUrl = await app.listen({ host: '127.0.0.1', port: 0 })
    const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 })
    const ids = (await service.pool.query<{ id: string }>('select id from containers order by id')).rows.map(
      ({ id }) => id,
    )
    const bytes = await keepAnswers(service.pool, ids, async (id) => {
      const answer = await fetch(`${appUrl}/v2/containers/${id}?${question}`, {
        headers: { authorization: `Token ${key}` },
      })
      if (answer.status !== 200) throw new Error(`the API answered ${answer.status}`)
      return answer.text()
    })
    progress(`read: ${ids.length} containers, ${bytes} bytes each, ${load.connections} connections`)
    const ask = async (paths: readonly string[], url: string, seconds: number): Promise<number> => {
      const { port } = new URL(url)
      const order = { ...load, seconds, port: Number(port), key, paths }
      return (await runProgram<{ readonly perSecond: number }>(new URL('./read-load.ts', import.meta.url), order))
        .perSecond
    }
    const ours = ids.map((id) => `/v2/containers/${id}?${question}`)
    const limit = ids.map((id) => `/bare/${id}`)
    await ask(ours, appUrl, 2)
    await ask(limit, bareUrl, 2)
    const sides = await alternate(rounds, {
      ours: () => ask(ours, appUrl, load.seconds),
      limit: () => ask(limit, bareUrl, load.seconds),
    })
    const ratio = medianRatio(sides)
    return {
      bench: 'read',
      what: `GET /v2/containers/:id?${question}`,
      unit: 'requests/s',
      figure: median(sides.ours),
      limit: {
        what: 'a bare route of the same Fastify, pool and content type: the same bytes from one primary-key read',
        value: median(sides.limit),
      },
      ratio,
      aim: 'ratio at least 0.6',
      isMet: ratio >= 0.6,
      note:
        `${rounds} rounds of ${load.seconds} s, ${load.connections} connections from another process; ` +
        `${spread(sides.ours)} against ${spread(sides.limit)}; ${bytes} bytes an answer`,
      postgres,
    }
  } finally {
    await app.close()
    await bare.close()
  }
}

/** Stored as text, not bytes, because the driver reads text with less work. */
async function keepAnswers(
  pool: Pool,
  ids: readonly string[],
  answerOf: (id: string) => Promise<string>,
): Promise<number> {
  await pool.query('create table bench_answers (id uuid primary key, body text not null)')
  let bytes = 0
  for (const id of ids) {
    const body = await answerOf(id)
    bytes += Buffer.byteLength(body)
    await pool.query('insert into bench_answers (id, body) values ($1, $2)', [id, body])
  }
  await pool.query('vacuum analyze bench_answers')
  return Math.round(bytes / ids.length)
}

function openBare(pool: Pool): FastifyInstance {
  const app = Fastify({ logger: false })
  app.get<{ Params: { id: string } }>('/bare/:id', async (request, reply) => {
    const { rows } = await pool.query<{ body: string }>({
      name: 'bench_answer',
      text: 'select body from bench_answers where id = $1',
      values: [request.params.id],
    })
    return reply.header('content-type', 'application/vnd.api+json').send(rows[0]?.body)
  })
  return app
}
