/** Reads the shipments that a draft is about, each once, with everything that is known of them. */

import type { Context } from '../access/context.ts'
import { listAttention } from '../attention/list-attention.ts'
import { sumCharges } from '../charges/sum-charges.ts'
import { listContainersOfShipments } from '../containers/list-containers.ts'
import { deriveShipmentWithClaims } from '../provenance/derivations.ts'
import type { findNumbers } from '../search/find-numbers.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { listSlips } from '../shipments/list-slips.ts'
import type { Subject } from './judge-facts.ts'
import { calculated, valuesOfContainer, valuesOfShipment } from './known-values.ts'

const shipmentsMax = 20

interface Subjects {
  /** By id of the shipment. */
  readonly wholes: ReadonlyMap<string, Subject>
  /** By id of the container. */
  readonly parts: ReadonlyMap<string, Subject>
  /** How many shipments were left out. */
  readonly unread: number
}

export async function readSubjects(
  service: Service,
  context: Context,
  of: {
    readonly matches: Awaited<ReturnType<typeof findNumbers>>
    /** What only some drafts need. */
    readonly uses: { readonly charges: boolean; readonly rolled: boolean }
    readonly now: string
  },
): Promise<Subjects> {
  const { matches, uses, now } = of
  const found = [...new Set(matches.map(({ shipmentId }) => shipmentId))]
  const ids = found.slice(0, shipmentsMax)
  const shipments = await getShipments(service, context, { ids })
  const readings = await listContainersOfShipments(service, context, { shipmentIds: ids })
  const slips = await listSlips(service, context, { shipments, now })
  const wholes = new Map<string, Subject>()
  const parts = new Map<string, Subject>()
  for (const reading of ids.flatMap((id) => shipments.find((each) => each.id === id) ?? [])) {
    const { id: shipmentId, billOfLadingNumber: number } = reading
    const derived = await deriveShipmentWithClaims(service, { accountId: context.account.id, shipmentId })
    const sums = uses.charges
      ? (await sumCharges(service, context, { ...charges, filter: { ...everything, shipmentId } })).rows
      : []
    const rolled = uses.rolled ? (await listAttention(service, context, rolledOf(shipmentId))).page.rows : []
    const own = [
      ...valuesOfShipment(reading, derived, slips.get(shipmentId)),
      ...rolled.map(({ text }) => calculated('rolled', 'compared with what was reported first', { text })),
    ]
    const containers = readings.flatMap((each) => {
      const derivation = derived.containers.get(each.id)
      if (derivation === undefined) return []
      const values = valuesOfContainer(each, derivation, {
        derived,
        charges: sums.find(({ id }) => id === each.id),
        now,
      })
      const container = { status: derivation.container.status, values }
      parts.set(each.id, {
        number: derivation.container.number,
        shipmentId,
        containers: [container],
        values: [...own, ...values],
      })
      return [container]
    })
    wholes.set(shipmentId, {
      number,
      shipmentId,
      containers,
      values: [...own, ...containers.flatMap(({ values }) => values)],
    })
  }
  return { wholes, parts, unread: found.length - ids.length }
}

const everything = {
  containerId: null,
  customerId: null,
  refNumber: null,
  tags: null,
  kind: null,
  chargedBy: null,
  isRunning: null,
}
const charges = { until: null, after: null, limit: 100 }
const rolledOf = (shipmentId: string) =>
  ({ filter: { reasons: ['rolled'], shipmentId, isSnoozed: false }, page: { number: 1, size: 1 } }) as const
