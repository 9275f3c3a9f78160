/** All containers that match, in batches, for an export. */

import {
  type ContainerFilter,
  type ContainerOrder,
  type ContainerReading,
  countContainerRows,
  listContainerRows,
} from '../../../store/read/containers.ts'
import { type Context, requireScope } from '../../context.ts'
import { exportedMax, requireExportable, walkList } from '../../ground/walk-list.ts'
import type { Service } from '../../service.ts'
import { urgentFrom } from '../urgent-from.ts'

/** Throws (`invalid`) before the first batch when more containers match than one export may have. */
export async function exportContainers(
  service: Service,
  context: Context,
  input: { readonly filter: ContainerFilter; readonly order: ContainerOrder },
): Promise<AsyncGenerator<readonly ContainerReading[]>> {
  requireScope(context, 'read')
  const of = { accountId: context.account.id, urgentFrom: urgentFrom(service, context) }
  const list = { ...of, ...input, isCounted: false }
  const anywhere = { number: 1, size: 1 }
  requireExportable(await countContainerRows(service.pool, { ...list, page: anywhere }, exportedMax))
  return walkList((page) => listContainerRows(service.pool, { ...list, page }))
}
