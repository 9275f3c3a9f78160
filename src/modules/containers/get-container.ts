/** One container of the account, alone or with its shipment, or several by id. */

import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import { hideCustomerIfEmbedded, withdrawOldEta } from '../shipments/get-shipment.ts'
import { type ContainerWithShipment, readContainerWithShipment } from './container-with-shipment-sql.ts'
import { type ContainerReading, readContainers } from './list-containers-sql.ts'

export async function getContainer(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<ContainerReading> {
  const [container] = await getContainers(service, context, { ids: [input.id] })
  if (container === undefined) throw notFound('container')
  return container
}

/**
 * One SQL statement for both, because clients make this read most. While nothing in it changes, the very same object is
 * returned, so that values computed from it can be cached with it. A page that anybody may open gets a new object each
 * time.
 */
export async function getContainerWithShipment(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<ContainerWithShipment> {
  requireScope(context, 'read')
  const found = await readContainerWithShipment(service.pool, { accountId: context.account.id, id: input.id })
  if (found === null) throw notFound('container')
  const standing = withdrawOldEta(found.shipment, journeyNow(service, context.account.isSandbox))
  const shipment = hideCustomerIfEmbedded(context, standing)
  return shipment === found.shipment ? found : { ...found, shipment }
}

/** Returns those of the ids that the account has, in no order. */
export async function getContainers(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly ContainerReading[]> {
  requireScope(context, 'read')
  return readContainers(service.pool, { accountId: context.account.id, ids: input.ids })
}
