/**
 * How long an account waits for its list while another account keeps the service as busy as it can, through the API in
 * one process.
 */

import { callerOf } from '../src/api/callers/request-caller.ts'
import { createApiKey } from '../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../src/server/app.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Figure, median, progress } from './measure.ts'
import { benchHeavyWork } from './neighbours-work.ts'

const rounds = 5
const looks = 5
// PostgreSQL's own regular expressions need more than 30 s for the first pattern, before they look at a single
// character.
const slow = ['(((x?){1,12}){1,12}){1,12}y', '(((x?){1,10}){1,10}){1,10}y', '(?:.{0,1000}){22}']

type Api = Awaited<ReturnType<typeof createApiApp>>

export async function benchNeighbours(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const app = await createApiApp(installation.service)
  app.post('/v2/planted_sleep', async (request) => {
    const { service } = callerOf(request)
    await service.pool.query({ text: 'select pg_sleep(0.3)' })
    return '{}'
  })
  try {
    const { key: busy, id: busyId } = await newKey(installation)
    const { key: other } = await newKey(installation)
    const send = sender(app)
    await send({ method: 'GET', url: '/v2/shipments', key: other })
    const { postgres } = installation
    return [
      await measure(app, other, postgres, {
        what: 'while eight definitions of each of three slow patterns are sent at once',
        aimMs: 5_000,
        begin: () => slow.flatMap((pattern) => eight((place) => send(define(busy, pattern, place)))),
        expected: 422,
      }),
      await measure(app, other, postgres, {
        what: 'while twelve requests hold connections to the database for 0.3 s each',
        aimMs: 1_000,
        begin: () => Array.from({ length: 12 }, () => send(sleep(busy))),
        expected: 200,
      }),
      ...(await benchHeavyWork(installation, app, { busy, busyId, other })),
    ]
  } finally {
    await app.close()
    await installation.close()
  }
}

async function newKey({ service, newAccount }: Installation): Promise<{ readonly key: string; readonly id: string }> {
  const { account } = await newAccount()
  const of = { accountId: account.id, name: 'Benchmark', scopes: ['read', 'write'] } as const
  return { key: (await createApiKey(service, of)).key, id: account.id }
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly key: string
  readonly body?: object
}

function sender(app: Api): (sent: Sent) => Promise<number> {
  return async ({ method, url, key, body }) => {
    const headers = {
      authorization: `Token ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
    }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    return (await app.inject({ method, url, headers, ...payload })).statusCode
  }
}

function eight<Value>(make: (place: number) => Value): readonly Value[] {
  return Array.from({ length: 8 }, (_, place) => make(place))
}

function define(key: string, pattern: string, place: number): Sent {
  const attributes = {
    entity_type: 'Shipment',
    api_slug: `slow_${place}`,
    display_name: `slow ${place}`,
    data_type: 'short_text',
    validation: { pattern },
  }
  const body = { data: { type: 'custom_field_definition', attributes } }
  return { method: 'POST', url: '/v2/custom_field_definitions', key, body }
}

function sleep(key: string): Sent {
  return { method: 'POST', url: '/v2/planted_sleep', key, body: {} }
}

/** The figure is the longest of all waits. */
async function measure(
  app: Api,
  key: string,
  postgres: string,
  of: {
    readonly what: string
    readonly aimMs: number
    readonly begin: () => readonly Promise<number>[]
    /** The expected status. Any other would mean that the request did not keep the service busy. */
    readonly expected: number
  },
): Promise<Figure> {
  progress(`neighbours: ${rounds} rounds, ${of.what}`)
  const send = sender(app)
  const waits: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const all = Promise.all(of.begin())
    for (let look = 0; look < looks; look += 1) {
      const startedAt = performance.now()
      if ((await send({ method: 'GET', url: '/v2/shipments', key })) !== 200) throw new Error('refused')
      waits.push(performance.now() - startedAt)
    }
    const strange = (await all).filter((status) => status !== of.expected)
    if (strange.length > 0) throw new Error(`answered ${[...new Set(strange)].join(', ')}`)
  }
  const figure = Math.max(...waits)
  return {
    bench: 'neighbours',
    what: `Longest wait of another account for its list, ${of.what}`,
    unit: 'ms',
    figure,
    limit: null,
    ratio: null,
    aim: `less than ${of.aimMs.toLocaleString('en-US')} ms`,
    isMet: figure < of.aimMs,
    note: `${rounds} rounds of ${looks} lists one after the other; median ${median(waits).toFixed(1)} ms`,
    postgres,
  }
}
