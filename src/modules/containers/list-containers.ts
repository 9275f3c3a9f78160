/** The account's containers, most recently refreshed first unless asked otherwise. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { exportList, requireFewToSort } from '../bounded-lists.ts'
import { journeyNow, type Service } from '../service.ts'
import { containerSortKeys } from './container-values-sql.ts'
import {
  type ContainerFilter,
  type ContainerOrder,
  type ContainerReading,
  countContainerRows,
  listContainerRows,
  readContainersOfShipments,
} from './list-containers-sql.ts'

export async function listContainers(
  service: Service,
  context: Context,
  input: { readonly filter: ContainerFilter; readonly order: ContainerOrder; readonly page: PageRequest },
): Promise<Page<ContainerReading>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, now: journeyNow(service, context.account.isSandbox) }
  const sort = { order: input.order, values: containerSortKeys }
  await requireFewToSort(sort, (bound) => countContainerRows(service.pool, { ...of, ...input }, bound))
  return listContainerRows(service.pool, { ...of, ...input })
}

/** In batches. Throws (`invalid`) before the first when more match than one export may have. */
export async function exportContainers(
  service: Service,
  context: Context,
  input: { readonly filter: ContainerFilter; readonly order: ContainerOrder },
): Promise<AsyncGenerator<readonly ContainerReading[]>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, now: journeyNow(service, context.account.isSandbox), ...input }
  return exportList(service, of, { count: countContainerRows, list: listContainerRows })
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
