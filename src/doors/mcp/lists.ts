/** What every list answers besides its items: how many there are, which page this is, and which filters nobody knows. */

import type { Page, PageRequest } from '../../store/read/page.ts'
import { responseContract, writeContract } from './response-contract.ts'
import { list, number, object, orNull, texts } from './schema.ts'

export function listOf(item: Parameters<typeof list>[0]) {
  return object({
    items: list(item),
    links: object({ prev: orNull(number), next: orNull(number) }),
    meta: object({ size: number, total: number }),
    unsupportedFilters: texts,
    _response_contract: responseContract,
  })
}

/** `links` are numbers of pages. */
export function writeList<Row>(
  page: Page<Row>,
  of: {
    readonly page: PageRequest
    readonly write: (row: Row) => unknown
    readonly dropped?: readonly string[]
  },
) {
  const { number: current, size } = of.page
  const isLast = current * size >= page.total
  const dropped = of.dropped ?? []
  return {
    items: page.rows.map(of.write),
    links: { prev: current > 1 ? current - 1 : null, next: isLast ? null : current + 1 },
    meta: { size: page.rows.length, total: page.total },
    unsupportedFilters: dropped,
    _response_contract: writeContract({
      total_is_reliable: dropped.length === 0 && page.isEstimated !== true,
      dropped_filters: dropped,
    }),
  }
}

export const listGuidance = 'Show a table; say how many there are in all and which page this is.'
