/**
 * What the answer of every list has besides its items: how many there are, which page this is, and for how many rows
 * the filters could not decide.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { CountedList } from '../../modules/search/count-rows-by.ts'
import { countMax, type UnknownCount } from '../../modules/search/count-unknown.ts'
import { Type } from '../../platform/json-schema.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, numberOrNull, object, optional, orNull, partial, text, texts } from '../tool/schema.ts'
import { type Guidance, makeResult, type ToolAnswer, type ToolContext } from '../tool/tool.ts'
import type { ReadListFilter } from './api-filters.ts'
import type { FittingPage } from './fit-rows.ts'
import { counted, writeCounts } from './orders.ts'

/** `fields` leaves members of rows out. A list with several kinds of row says itself what may be missing. */
export function listSchema(item: Parameters<typeof list>[0], more: Parameters<typeof object>[0] = {}) {
  return object({
    items: list('anyOf' in item ? item : partial(item)),
    ...counted,
    ...more,
    links: object({ prev: orNull(number), next: orNull(number) }),
    meta: object({ size: number, total: number, unknown_rows: optional(numberOrNull) }),
    unsupportedFilters: texts,
    _response_contract: responseContract,
  })
}

/** Only in lists with filters by data of a journey. */
export const filtered = {
  _metadata: object({
    applied_filters: Type.Unsafe({ type: 'object' }),
    sort: optional(text),
    page: number,
    page_size: number,
    has_more: flag,
    next_page: optional(number),
    notes: optional(texts),
    custom_fields: optional(list(object({ field: text, api_slug: text, data_type: text, value: text }))),
  }),
  understood: object({
    scac: optional(text),
    pol: optional(text),
    pod: optional(text),
    destination: optional(text),
    status: optional(text),
    eta: optional(text),
    lfd: optional(text),
    created_at: optional(text),
    updated_at: optional(text),
  }),
  unknown: list(object({ what: text, count: numberOrNull, message: text })),
}

/** `links` contains page numbers. `unsupportedFilters` is always empty, because an unknown filter is refused. */
export function writeList<Row>(
  page: Page<Row>,
  of: {
    /** The clock of the times in the rows. */
    readonly now: string
    readonly page: PageRequest
    readonly write: (row: Row) => unknown
    /** Rows for which a filter could not decide, because the data is missing. */
    readonly unknown?: readonly UnknownCount[]
  },
) {
  const { number: current, size } = of.page
  const isLast = current * size >= page.total
  const isAllKnown = (of.unknown ?? []).length === 0
  return {
    items: page.rows.map(of.write),
    links: { prev: current > 1 ? current - 1 : null, next: isLast ? null : current + 1 },
    meta: { size: page.rows.length, total: page.total, ...unknownRows(of.unknown) },
    unsupportedFilters: [],
    _response_contract: writeContract({
      total_is_reliable: isAllKnown && page.isEstimated !== true,
      now: writeInstant(of.now, null),
    }),
  }
}

/** The same of rows that are written already. */
export function writeFitting(
  { found, items, page }: FittingPage<unknown>,
  of: { readonly now: string; readonly unknown?: readonly UnknownCount[] },
) {
  return writeList({ ...found, rows: items }, { ...of, page, write: (row) => row })
}

/** What a list was read by, and which page follows. */
export function writeListMetadata(
  { applied, fields, notes }: Pick<ReadListFilter<unknown>, 'applied' | 'fields' | 'notes'>,
  of: { readonly page: PageRequest; readonly sort: string | undefined; readonly total: number },
) {
  const { number: page, size } = of.page
  const hasMore = page * size < of.total
  return {
    applied_filters: applied,
    ...(of.sort === undefined ? {} : { sort: of.sort }),
    page,
    page_size: size,
    has_more: hasMore,
    ...(hasMore ? { next_page: page + 1 } : {}),
    ...(notes.length === 0 ? {} : { notes }),
    ...(fields.length === 0 ? {} : { custom_fields: fields }),
  }
}

/** How many rows the filters could not decide on, beside the total; null for more than are counted. */
function unknownRows(unknown: readonly UnknownCount[] | undefined) {
  if (unknown === undefined) return {}
  const isCounted = unknown.every(({ count }) => count !== null)
  return { unknown_rows: isCounted ? unknown.reduce((sum, { count }) => sum + (count ?? 0), 0) : null }
}

/** The answer of a list that counts its rows instead of showing them. */
export async function answerCounts(
  toolContext: ToolContext,
  of: {
    readonly list: CountedList
    readonly now: string
    readonly more?: Readonly<Record<string, unknown>>
    /** Rows that the filters could not decide on. */
    readonly unknown?: readonly UnknownCount[]
  },
): Promise<ToolAnswer> {
  const { counts, meta, isWhole } = await writeCounts(toolContext, of.list)
  return makeResult(
    {
      items: [],
      counts,
      links: { prev: null, next: null },
      meta: { ...meta, ...((of.unknown ?? []).length === 0 ? {} : unknownRows(of.unknown)) },
      unsupportedFilters: [],
      ...of.more,
      _response_contract: writeContract({
        total_is_reliable: isWhole && (of.unknown ?? []).length === 0,
        now: writeInstant(of.now, null),
      }),
    },
    null,
  )
}

export function writeUnknownCounts(unknown: readonly UnknownCount[], rows: 'containers' | 'shipments') {
  return unknown.map(({ what, count, toBePickedUp }) => {
    const many = `${count ?? `more than ${countMax}`} ${count === 1 ? rows.slice(0, -1) : rows}`
    const open = toBePickedUp === null ? '' : ` (not picked up yet: ${toBePickedUp})`
    return {
      what: names[what],
      count,
      message: `Not listed: ${many} whose ${names[what]} nobody knows${open}; ${reasons[what]}.`,
    }
  })
}

const names: Readonly<Record<UnknownCount['what'], string>> = {
  pol: 'port of lading',
  pod: 'port of discharge',
  vesselImo: 'ship',
  podEtaAt: 'arrival estimate',
  freeUntil: 'last free day',
  holds: 'holds',
  fees: 'fees',
}

const reasons: Readonly<Record<UnknownCount['what'], string>> = {
  pol: 'no source has named it',
  pod: 'no source has named it',
  vesselImo: 'no source has named it',
  podEtaAt: 'no source has given one',
  freeUntil: 'no line, terminal or railway has given one, and no terms of the account do',
  holds: 'no terminal has reported',
  fees: 'no terminal or railway has reported',
}

/** Missing data comes first in the guidance, because an empty table may only mean that nobody has given the data. */
export function listGuidance(
  page: Page<unknown>,
  of: {
    readonly page: PageRequest
    readonly unknown?: readonly UnknownCount[]
    readonly tools?: readonly string[]
    /** False where those no longer tracked are left out without a filter that says so. */
    readonly hasStopped?: boolean
  },
): Guidance {
  const isLast = of.page.number * of.page.size >= page.total
  const left =
    of.hasStopped === false ? ' Only tracked ones are listed: `include_stopped_tracking` adds the others.' : ''
  const table = `Show a table; say how many there are in all and which page this is.${left}`
  const isAllKnown = (of.unknown ?? []).length === 0
  return {
    presentation: isAllKnown
      ? table
      : `${table} Say for how many it is not known (\`unknown\`): never say "none" where no source has reported.`,
    followUps: isLast ? [] : [`Show page ${of.page.number + 1}?`],
    tools: of.tools ?? [],
  }
}
