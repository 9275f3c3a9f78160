/** The account's containers, most recently refreshed first unless asked otherwise. */

import { overdueDaysMax } from '../../../core/shown/attention-reasons.ts'
import { addDays, localDateIn } from '../../../core/values/time.ts'
import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  type ContainerFilter,
  type ContainerOrder,
  type ContainerReading,
  listContainerRows,
  readContainersOfShipments,
} from '../../../store/read/containers.ts'
import { type Context, requireScope } from '../../context.ts'
import { journeyNow, type Service } from '../../service.ts'

export async function listContainers(
  service: Service,
  context: Context,
  input: { readonly filter: ContainerFilter; readonly order: ContainerOrder; readonly page: PageRequest },
): Promise<Page<ContainerReading>> {
  requireScope(context, 'read')
  const { id: accountId, isFiction } = context.account
  const urgentFrom = addDays(localDateIn(journeyNow(service, isFiction), null), -overdueDaysMax)
  return listContainerRows(service.pool, { accountId, urgentFrom, ...input })
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
