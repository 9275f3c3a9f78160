/** Transport events: the active ones of containers, and any by id, for those who follow a correction back. */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type EventIds, readEventIds } from '../containers/related-ids-sql.ts'
import type { Service } from '../service.ts'
import {
  readTransportEventPage,
  readTransportEvents,
  readTransportEventsOfContainers,
  type TransportEventReading,
} from './list-transport-events-sql.ts'

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

/** Their transport events and at most `rawMax` raw events of each: those that were ingested last. */
export async function listEventIds(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly rawMax: number },
): Promise<readonly EventIds[]> {
  requireScope(context, 'read')
  return readEventIds(service.pool, { accountId: context.account.id, ...input })
}
