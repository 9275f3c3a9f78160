/**
 * The query of a saved view. It is read by the same table of parameters as the list itself, when it is saved and again
 * whenever it is used, so a stored query can do nothing that the list cannot.
 */

import type { Caller } from '../../api/callers/caller.ts'
import { Problem, toPointerToken } from '../../api/errors/problem.ts'
import { containersQuery } from '../containers/containers-routes.ts'
import { readContainerFieldFilters, readFieldFilters } from '../custom-fields/read-field-filters.ts'
import { ServiceError } from '../errors.ts'
import type { ViewedRows } from '../share-links/read-shared.ts'
import { shipmentsQuery } from '../shipments/shipments-routes.ts'
import type { SavedView } from './saved-views-sql.ts'

type ViewQuery = Pick<SavedView, 'list' | 'query'>

/** These control the format of one answer. They are not included in a view. */
const notOfViews = /^(page\[.*|fields\[.*|flag\[.*|include|format)$/

/** Refuses a parameter that the list does not have, and a value that the list would refuse, by its place in the body. */
export async function checkViewQuery(caller: Caller, viewed: ViewQuery): Promise<void> {
  const wrong = Object.keys(viewed.query).find((name) => notOfViews.test(name))
  if (wrong !== undefined)
    throw refusedParameter(wrong, 'A view stores only filters, `sort` and search, not the page or the format.')
  try {
    await readViewQuery(caller, viewed)
  } catch (error) {
    throw toBodyError(error)
  }
}

/** Refuses what the list would refuse, for instance a custom field that the account does not have any more. */
export async function readViewQuery({ service, context }: Caller, { list, query }: ViewQuery): Promise<ViewedRows> {
  const request = { query, ignored: null }
  if (list === 'shipments') {
    const { filter, order } = shipmentsQuery.read(request)
    const { customFields, format: _, ...filters } = filter
    const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
    return { list, filter: { ...filters, fields }, order }
  }
  const { filter, order } = containersQuery.read(request)
  const { customFields, format: _, ...filters } = filter
  const fields = await readContainerFieldFilters(service, context, customFields)
  return { list, filter: { ...filters, ...fields }, order }
}

/** A refusal that names a parameter, as one that names the place of the parameter in the body. */
function toBodyError(error: unknown): unknown {
  const source =
    error instanceof Problem ? error.faults[0]?.source : error instanceof ServiceError ? error.source : null
  const detail = error instanceof Problem ? error.faults[0]?.detail : (error as Error).message
  if (source == null || !('parameter' in source)) return error
  return refusedParameter(source.parameter, detail ?? 'The list does not accept this.')
}

function refusedParameter(name: string, detail: string): Problem {
  return new Problem('invalid', {
    detail,
    source: { pointer: `/data/attributes/query/${toPointerToken(name)}` },
  })
}
