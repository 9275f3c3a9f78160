/** Transport events: the standing ones of containers, and any by id, for those who follow a correction back. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import {
  readTransportEventPage,
  readTransportEvents,
  readTransportEventsOfContainers,
  type TransportEventReading,
} from '../../../store/read/transport-events.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'

/** In the order in which they happened, within each container. */
export async function listTransportEvents(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly withInvalidated?: boolean },
): Promise<readonly TransportEventReading[]> {
  requireScope(context, 'read')
  return readTransportEventsOfContainers(service.pool, {
    accountId: context.account.id,
    containerIds: input.containerIds,
    withInvalidated: input.withInvalidated ?? false,
  })
}

/** The events of one container, in the order in which they happened. */
export async function pageTransportEvents(
  service: Service,
  context: Context,
  input: { readonly containerId: string; readonly withInvalidated: boolean; readonly page: PageRequest },
): Promise<Page<TransportEventReading>> {
  requireScope(context, 'read')
  return readTransportEventPage(service.pool, { accountId: context.account.id, ...input })
}

export async function getTransportEvents(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly TransportEventReading[]> {
  requireScope(context, 'read')
  return readTransportEvents(service.pool, { accountId: context.account.id, ...input })
}
