/** Customers of the program under test: one subscribes to everything, some request numbers until they get an answer. */

import { eventNames } from '../../src/domain/changes/event-table.ts'
import { findShippingLine } from '../../src/reference/shipping-lines.ts'
import type { Asked } from '../../test/e2e/truth.ts'
import { eventually } from '../../test/support/eventually.ts'

export interface Customer {
  readonly apiUrl: string
  readonly key: string
}

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const
const clients = 4
const answeredWithinMs = 120_000

export async function subscribe(
  customer: Customer,
  url: string,
  events: readonly string[] = eventNames,
): Promise<{ readonly id: string; readonly secret: string }> {
  const attributes = { url, active: true, events }
  const { status, body } = await post(customer, '/v2/webhooks', { data: { type: 'webhook', attributes } })
  if (status !== 201) throw new Error(`The webhook was refused: ${JSON.stringify(body)}`)
  const { data } = body as {
    readonly data: { readonly id: string; readonly attributes: { readonly secret: string } }
  }
  return { id: data.id, secret: data.attributes.secret }
}

interface Listed extends Asked {
  readonly scenario: string
  readonly containers: readonly string[]
  readonly lively: boolean
}

/**
 * Stories in which the line says what is not so, or says it in codes that nobody knows. What is served of them is not
 * what was said, on purpose: `scenarios.test.ts` holds them to the outcomes that were written down by hand.
 */
const toldOtherwise: ReadonlySet<string> = new Set([
  'story_empty_before_out',
  'story_place_unknown',
  'story_words_unknown',
])

/** Numbers of all kinds, of all lines that every account may track, at most one for each shipment. */
export async function chooseNumbers(
  sandboxUrl: string,
  wanted: { readonly count: number; readonly random: () => number },
): Promise<readonly Asked[]> {
  const response = await fetch(`${sandboxUrl}/sandbox/numbers?limit=100000`)
  // Shipments that run fast are left out: they cannot be compared with a truth at a fixed time.
  const listed = ((await response.json()) as readonly Listed[]).filter(
    ({ scac, lively, scenario }) =>
      findShippingLine(scac)?.access === 'public' && !lively && !toldOtherwise.has(scenario),
  )
  const ranked = listed.map((entry) => ({ entry, rank: wanted.random() })).toSorted((a, b) => a.rank - b.rank)
  const taken = new Set<string>()
  const chosen: Asked[] = []
  for (const { entry } of ranked) {
    const { scac, kind, number, containers } = entry
    const names = [number, ...containers].map((name) => `${scac} ${name}`)
    if (chosen.length === wanted.count || names.some((name) => taken.has(name))) continue
    for (const name of names) taken.add(name)
    chosen.push({ scac, kind, number })
  }
  if (chosen.length < wanted.count) throw new Error(`The sandbox has only ${chosen.length} shipments to track.`)
  return chosen
}

/**
 * A request may be accepted without an answer when the program is killed. It is then a duplicate when it is sent again.
 */
export async function requestAll(customer: Customer, asked: readonly Asked[]): Promise<void> {
  const queue = asked.values()
  const client = async (): Promise<void> => {
    for (const number of queue) await request(customer, number)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function request(customer: Customer, { scac, kind, number }: Asked): Promise<void> {
  const attributes = { request_type: requestTypes[kind], request_number: number, scac }
  const body = { data: { type: 'tracking_request', attributes } }
  await eventually(
    async () => {
      const answer = await post(customer, '/v2/tracking_requests', body).catch(() => null)
      if (answer === null || answer.status === 429 || answer.status >= 500) return null
      const { errors } = answer.body as { readonly errors?: readonly { readonly code: string }[] }
      if (answer.status !== 201 && errors?.[0]?.code !== 'duplicate')
        throw new Error(`${scac} ${number} was refused: ${JSON.stringify(answer.body)}`)
      return true
    },
    {
      withinMs: answeredWithinMs,
      late: () => `${scac} ${number} could not be requested within two minutes.`,
    },
  )
}

export async function post(
  { apiUrl, key }: Customer,
  path: string,
  body: unknown,
  method: 'POST' | 'PATCH' = 'POST',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(apiUrl + path, {
    method,
    headers: { authorization: `Token ${key}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, body: await response.json() }
}
