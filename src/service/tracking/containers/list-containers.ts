/** The account's containers, most recently refreshed first unless asked otherwise. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  type ContainerFilter,
  type ContainerOrder,
  type ContainerReading,
  listContainerRows,
  readContainersOfShipments,
} from '../../../store/read/containers.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { urgentFrom } from '../urgent-from.ts'

export async function listContainers(
  service: Service,
  context: Context,
  input: { readonly filter: ContainerFilter; readonly order: ContainerOrder; readonly page: PageRequest },
): Promise<Page<ContainerReading>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, urgentFrom: urgentFrom(service, context) }
  return listContainerRows(service.pool, { ...of, ...input })
}

/** All containers of the shipments, in order of number and trip within each. */
export async function listContainersOfShipments(
  service: Service,
  context: Context,
  input: { readonly shipmentIds: readonly string[] },
): Promise<readonly ContainerReading[]> {
  requireScope(context, 'read')
  return readContainersOfShipments(service.pool, { accountId: context.account.id, ...input })
}
