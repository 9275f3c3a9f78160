/**
 * A real line of a company that signed up by itself. It delays, corrects and withdraws events, and is asked look by
 * look.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Carrier, openCarrier } from '../../test/support/carrier.ts'
import { type JourneyPlan, planJourney } from '../../test/support/journeys.ts'
import { type Customer, list, must, send } from './customer.ts'

const scac = 'MAEU'
const dayMs = 86_400_000
const daysPerLook = 3
/** The seeds of these journeys give corrections and withdrawn statements. */
const journeys = 8
const looks = 16

export interface RealLine {
  readonly carrier: Carrier
  readonly plans: readonly JourneyPlan[]
}

/** Called before the program starts: the operator describes in a file how the line is asked. */
export async function openRealLine(dataFolder: string): Promise<RealLine> {
  const carrier = await openCarrier()
  const auth = { keyHeaders: { 'Consumer-Key': 'consumerKey' }, oauth: null }
  const entry = {
    scac,
    profile: carrier.profile(scac, { auth }),
    secrets: { consumerKey: 'a key of the line' },
  }
  writeFileSync(join(dataFolder, 'carriers.json'), JSON.stringify([entry]), { mode: 0o600 })
  const startAt = Date.now() - (looks + 2) * daysPerLook * dayMs
  const plans = Array.from({ length: journeys }, (_, index) =>
    planJourney({ seed: 3_000 + index, scac, startAt: startAt + index * dayMs, daysPerLook }),
  )
  return { carrier, plans }
}

/** `rest` waits until every look that was requested is done. */
export async function followRealLine(
  customer: Customer,
  { carrier, plans }: RealLine,
  by: { readonly rest: () => Promise<void> },
): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    for (const plan of plans)
      for (const number of [plan.bill, plan.booking, ...plan.containers])
        carrier.answers({ json: plan.answerAt(look) }, number)
    if (look === 0) await requestAll(customer, plans)
    else
      for (const { id } of await list(customer, '/v2/containers'))
        await must(customer, 'PATCH', `/v2/containers/${id}/refresh`)
    await by.rest()
  }
}

async function requestAll(customer: Customer, plans: readonly JourneyPlan[]): Promise<void> {
  for (const [index, plan] of plans.entries()) {
    const ask = (requestType: string, requestNumber: string) =>
      send(customer, 'POST', '/v2/tracking_requests', {
        type: 'tracking_request',
        attributes: {
          request_type: requestType,
          request_number: requestNumber,
          scac,
          ref_numbers: [`PO-${index}`],
        },
      })
    await ask('bill_of_lading', plan.bill)
    // Requests the same boxes by another number too: they join the shipment of the bill.
    if (index % 3 === 0) await ask('container', plan.containers[0] ?? '')
  }
}
