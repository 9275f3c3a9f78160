/**
 * The rows of a part of the server that shows one customer or one shipment only. The limit is in the async context of
 * the request, so that no tool can forget to pass it on: each id, each search and each list of containers and shipments
 * is limited here.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { PartyRecordType } from '../../domain/values/party-role.ts'
import type { Context } from '../../modules/access/context.ts'
import { getContainers } from '../../modules/containers/get-container.ts'
import type { ContainerFilter } from '../../modules/containers/list-containers-sql.ts'
import { notFound } from '../../modules/errors.ts'
import { getParties } from '../../modules/parties/get-party.ts'
import { rolesOfRecords } from '../../modules/parties/party-roles.ts'
import { findTracked, type TrackedMatches } from '../../modules/search/find-tracked.ts'
import type { Service } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import type { ShipmentFilter } from '../../modules/shipments/list-shipments-sql.ts'

export interface RowLimit {
  /** A customer's rows are those of the shipments for which it is named as the customer, or has that role. */
  readonly kind: 'customer' | 'shipment'
  readonly id: string
}

interface Reader {
  readonly service: Service
  readonly context: Context
}

const limits = new AsyncLocalStorage<RowLimit | null>()

export function runWithin<T>(limit: RowLimit | null, run: () => T): T {
  return limits.run(limit, run)
}

/** Null where all rows of the account are shown. */
export function currentLimit(): RowLimit | null {
  const limit = limits.getStore()
  if (limit === undefined) throw new Error('rows are read outside of an MCP request')
  return limit
}

/** Whether the account has the customer or shipment of the limit. */
export async function hasSubject({ service, context }: Reader, { kind, id }: RowLimit): Promise<boolean> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return false
  const found = await (kind === 'customer' ? getParties : getShipments)(service, context, { ids: [id] })
  return found.length > 0
}

/** Those of the shipments that are shown. */
export async function selectShown(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const limit = currentLimit()
  if (limit === null) return new Set(ids)
  if (limit.kind === 'shipment') return new Set(ids.filter((each) => each === limit.id))
  const records = await getShipments(reader.service, reader.context, { ids })
  return selectOfCustomer(reader, { type: 'shipment', records, partyId: limit.id })
}

/** Refuses (not found) a container or shipment that is not shown, in the words for one that there is not. */
export async function requireShown(reader: Reader, kind: 'container' | 'shipment', id: string): Promise<void> {
  if (currentLimit() === null) return
  const shipmentIds =
    kind === 'shipment'
      ? [id]
      : (await getContainers(reader.service, reader.context, { ids: [id] })).map((each) => each.shipmentId)
  if ((await selectShown(reader, shipmentIds)).size === 0) throw notFound(kind)
}

/** `findTracked` among what is shown. */
export async function findShown(reader: Reader, query: string): Promise<TrackedMatches> {
  const found = await findTracked(reader.service, reader.context, query)
  const limit = currentLimit()
  if (limit === null) return found
  const shown = await selectShown(reader, [...found.byId.keys()])
  const shownRequests =
    limit.kind === 'shipment'
      ? new Set()
      : await selectOfCustomer(reader, { type: 'tracking_request', records: found.requests, partyId: limit.id })
  const containers = found.containers.filter(({ shipmentId }) => shown.has(shipmentId))
  const shipments = found.shipments.filter(({ id }) => shown.has(id))
  return {
    ...found,
    containers,
    shipments,
    byId: new Map([...found.byId].filter(([id]) => shown.has(id))),
    requests: found.requests.filter(({ id }) => shownRequests.has(id)),
    isEmpty: containers.length === 0 && shipments.length === 0,
  }
}

async function selectOfCustomer(
  { service, context }: Reader,
  {
    partyId,
    ...of
  }: Parameters<typeof rolesOfRecords>[2] & { readonly type: PartyRecordType; readonly partyId: string },
): Promise<ReadonlySet<string>> {
  const roles = await rolesOfRecords(service, context, of)
  const isCustomer = (each: (typeof roles)[number]) => each.role === 'customer' && each.partyId === partyId
  return new Set(roles.filter(isCustomer).map(({ recordId }) => recordId))
}

/** The filter of a list of shipments or containers, for what is shown. */
export function limitFilter<Filter extends Pick<ContainerFilter & ShipmentFilter, 'demands' | 'shipmentId'>>(
  list: 'shipments' | 'containers',
  filter: Filter,
): Filter {
  const limit = currentLimit()
  if (limit === null) return filter
  if (limit.kind === 'customer') {
    const ofCustomer = { name: 'customer_id', all: [{ kind: 'texts', anyOf: [limit.id] }] } as const
    return { ...filter, demands: [...(filter.demands ?? []), ofCustomer] }
  }
  if (list === 'shipments') throw new Error('a list of shipments cannot be limited to one shipment')
  if (filter.shipmentId && filter.shipmentId !== limit.id) throw notFound('shipment')
  return { ...filter, shipmentId: limit.id }
}
