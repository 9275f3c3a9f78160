/** What the account tracks under each of several whole numbers or references, or ids. */

import { type Context, requireScope } from '../access/context.ts'
import { getContainers } from '../containers/get-container.ts'
import type { Service } from '../service.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { findWholeNumbers, type NumberMatch, plainQuery } from './search-sql.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function findNumbers(
  service: Service,
  context: Context,
  { numbers: given }: { readonly numbers: readonly string[] },
): Promise<readonly NumberMatch[]> {
  requireScope(context, 'read')
  const [ids, numbers] = [given.filter((each) => uuid.test(each)), given.filter((each) => !uuid.test(each))]
  const matches =
    numbers.length === 0
      ? []
      : await findWholeNumbers(service.pool, { accountId: context.account.id, numbers: numbers.map(plainQuery) })
  const containers = ids.length === 0 ? [] : await getContainers(service, context, { ids })
  const shipments = ids.length === 0 ? [] : await getShipments(service, context, { ids })
  const asGiven = (id: string): string => ids.find((each) => each.toLowerCase() === id) ?? id
  return [
    ...containers.map(({ id, shipmentId }) => ({ kind: 'container' as const, id, shipmentId, number: asGiven(id) })),
    ...shipments.map(({ id }) => ({ kind: 'shipment' as const, id, shipmentId: id, number: asGiven(id) })),
    ...matches.map(({ place, ...match }) => ({ ...match, number: numbers[place - 1] ?? '' })),
  ]
}
