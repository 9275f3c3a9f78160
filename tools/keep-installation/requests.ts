/** What is requested: numbers of every story of the sandbox, of all kinds, found and not found. */

import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import { findShippingLine } from '../../src/reference/shipping-lines.ts'
import type { WireResource } from '../../test/support/api.ts'
import { ask, type Customer, send } from './customer.ts'

interface Listed {
  readonly scac: string
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
  readonly scenario: string
  readonly containers: readonly string[]
}

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

/** Some numbers of each story, of lines that every account may track, the kinds in turn, and none twice. Adds them to `taken`. */
export async function chooseNumbers(
  sandboxUrl: string,
  of: { readonly each: number; readonly taken: Set<string> },
): Promise<readonly Listed[]> {
  const response = await fetch(`${sandboxUrl}/sandbox/numbers?limit=100000`)
  const listed = ((await response.json()) as readonly Listed[]).filter(
    ({ scac }) => findShippingLine(scac)?.access === 'public',
  )
  const kinds = Object.keys(requestTypes)
  const chosen: Listed[] = []
  for (const [scenario, entries] of Map.groupBy(listed, ({ scenario }) => scenario)) {
    // A reused box makes a second trip only for a request by container.
    const isOfBox = scenario.endsWith('container_reused')
    for (let found = 0; found < (isOfBox ? boxesFollowed : of.each); found += 1) {
      const wanted = isOfBox ? 'container' : kinds[chosen.length % kinds.length]
      const free = entries.filter(({ scac, number, containers }) =>
        [number, ...containers].every((each) => !of.taken.has(`${scac} ${each}`)),
      )
      const entry = free.find(({ kind }) => kind === wanted) ?? free[0]
      if (entry === undefined) break
      for (const each of [entry.number, ...entry.containers]) of.taken.add(`${entry.scac} ${each}`)
      chosen.push(entry)
    }
  }
  return chosen
}

const boxesFollowed = 5

export async function track(
  customer: Customer,
  numbers: readonly Listed[],
  with_: { readonly partyId: string; readonly batch: string },
): Promise<void> {
  const party = { data: { type: 'party', id: with_.partyId } }
  for (const [index, { scac, kind, number }] of numbers.entries()) {
    await send(
      customer,
      'POST',
      '/v2/tracking_requests',
      {
        type: 'tracking_request',
        attributes: {
          request_type: requestTypes[kind],
          request_number: number,
          scac,
          ref_numbers: [`PO-${with_.batch}-${index}`],
          ...(index % 3 === 0 ? { shipment_tags: ['priority', with_.batch] } : {}),
          ...(index % 4 === 0
            ? { initial_custom_fields: { shipment: [{ api_slug: 'buyer', value: `Buyer ${index}` }] } }
            : {}),
        },
        ...(index % 2 === 0
          ? { relationships: { customer: party, ...(index % 4 === 0 ? { consignee: party } : {}) } }
          : {}),
      },
      { 'idempotency-key': `keep-${with_.batch}-${index}` },
    )
  }
}

/** Requests with other outcomes: unknown, refused by the line, inferred, and test numbers. */
export async function trackOddly(customer: Customer, oddLine: string): Promise<void> {
  const request = (attributes: object) =>
    send(customer, 'POST', '/v2/tracking_requests', { type: 'tracking_request', attributes })
  for (const number of ['TEST-TR-SUCCEEDED', 'TEST-TR-SUCCEEDED', 'TEST-TR-FAILED'])
    await request({ request_type: 'bill_of_lading', request_number: number, scac: 'TEST' })
  await request({ request_type: 'bill_of_lading', request_number: `NOBODY${oddLine}12`, scac: oddLine })
  await request({ request_type: 'bill_of_lading', request_number: `FAULT500${oddLine}12`, scac: oddLine })
  await request({ request_type: 'bill_of_lading', request_number: `FAULTTRUNC${oddLine}12`, scac: oddLine })
  const unused = `MSCU40${String(oddLine.charCodeAt(0)).padStart(4, '0')}`
  const box = `${unused}${containerCheckDigit(unused)}`
  await request({ request_type: 'container', request_number: box, auto_detect_vocc_scac: true })
}

/**
 * Asks for the line of each number. The numbers are tracked afterwards, so each prediction is compared with what the
 * line confirms.
 */
export async function infer(customer: Customer, numbers: readonly string[]): Promise<void> {
  for (const number of numbers) {
    const { status, body } = await ask(customer, 'POST', '/v2/tracking_requests/infer_number', { number })
    if (status >= 300) throw new Error(`${number} could not be inferred: ${JSON.stringify(body)}`)
  }
}

export async function trackBatch(customer: Customer, numbers: readonly Listed[]): Promise<WireResource> {
  const { status, body } = await ask(customer, 'POST', '/v2/tracking_requests/batch', {
    data: numbers.map(({ scac, kind, number }) => ({
      type: 'tracking_request',
      attributes: { request_type: requestTypes[kind], request_number: number, scac },
    })),
    meta: { dry_run: false },
  })
  if (status >= 300) throw new Error(`The batch was refused: ${JSON.stringify(body)}`)
  return body.data as WireResource
}
