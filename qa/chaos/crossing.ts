/**
 * Shipments that several accounts request by many numbers: the bill, the same number as a booking, each box by itself.
 * The accounts share the answers about each number. In each account all the requests must become one shipment.
 */

import type { Pool } from '../../src/db/database.ts'
import type { Asked } from '../../test/e2e/truth.ts'
import type { Report } from '../kill/checks.ts'
import type { Account } from './customers.ts'
import type { Journey } from './journeys.ts'

export interface Crossing {
  readonly journey: Journey
  /** The kinds of number by which the accounts ask, one entry per account in turn. */
  readonly ways: readonly (readonly Asked['kind'][])[]
}

/** With three accounts this makes eighteen shipments. */
export const crossingCount = 6
export const boxesOfLargeBill = 16

const ways = [
  ['bill_of_lading', 'container'],
  ['container', 'booking'],
  ['container'],
  ['container', 'bill_of_lading', 'booking'],
] as const

type Invent = (of: { readonly boxesCount?: number; readonly isAlwaysKnown: boolean }) => Journey

/**
 * Each account asks for each shipment in another way. The last shipment is the bill of sixteen boxes, which all
 * accounts request by its boxes only.
 */
export function inventCrossings(invent: Invent): readonly Crossing[] {
  const crossing = Array.from({ length: crossingCount }, (_, n) => ({
    journey: invent({ isAlwaysKnown: true }),
    ways: [...ways.slice(n % ways.length), ...ways.slice(0, n % ways.length)],
  }))
  const large = invent({ boxesCount: boxesOfLargeBill, isAlwaysKnown: true })
  return [...crossing, { journey: large, ways: [['container']] }]
}

/** All numbers that an account requests. */
export function numbersOf(crossings: readonly Crossing[], account: number): readonly Asked[] {
  return crossings.flatMap((crossing) => numbersOfOne(crossing, account))
}

function numbersOfOne({ journey, ways: of }: Crossing, account: number): readonly Asked[] {
  const { scac, bill, boxes } = journey
  return (of[account % of.length] ?? []).flatMap((kind) =>
    (kind === 'container' ? boxes : [bill]).map((number) => ({ scac, kind, number })),
  )
}

/** All numbers of a crossing must be one shipment in each account, with all of its boxes. */
export async function checkCrossings(
  pool: Pool,
  accounts: readonly Account[],
  crossings: readonly Crossing[],
): Promise<Report> {
  const { rows } = await pool.query<{
    readonly account_id: string
    readonly number: string
    readonly type: string
    readonly shipment_id: string | null
    readonly boxes: number
  }>(
    `select r.account_id, r.request_number as number, r.request_type as type, r.shipment_id,
            (select count(*) from containers c where c.account_id = r.account_id and c.shipment_id = r.shipment_id)::int as boxes
       from tracking_requests r`,
  )
  const problems: string[] = []
  let requests = 0
  for (const crossing of crossings)
    for (const [n, { id, name }] of accounts.entries()) {
      const asked = numbersOfOne(crossing, n)
      const own = rows.filter((row) => row.account_id === id && asked.some(({ number }) => number === row.number))
      requests += own.length
      const { bill, boxes } = crossing.journey
      if (own.length !== asked.length) problems.push(`${name} ${bill}: ${own.length} of ${asked.length} requests`)
      const shipments = new Set(own.map((row) => row.shipment_id))
      if (shipments.size !== 1 || shipments.has(null))
        problems.push(`${name} ${bill}: its requests are ${shipments.size} shipments (${[...shipments].join(', ')})`)
      if (own.some((row) => row.boxes !== boxes.length))
        problems.push(`${name} ${bill}: a shipment has not all of the ${boxes.length} boxes, or more`)
    }
  return {
    says: `${requests} requests for bills, bookings and boxes are ${crossings.length * accounts.length} shipments; one of each account has ${boxesOfLargeBill} boxes, each asked for by itself.`,
    problems,
  }
}
