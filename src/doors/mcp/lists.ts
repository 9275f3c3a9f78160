/** What every list answers besides its items: how many there are, which page this is, and of how many it could not tell. */

import { countMax, type Unknown } from '../../service/ground/count-unknown.ts'
import type { Page, PageRequest } from '../../store/read/page.ts'
import { writeInstant } from './local-time.ts'
import { responseContract, writeContract } from './response-contract.ts'
import { list, maybe, number, numberOrNull, object, orNull, text, texts } from './schema.ts'
import type { Guidance } from './tool.ts'

export function listOf(item: Parameters<typeof list>[0], more: Parameters<typeof object>[0] = {}) {
  return object({
    items: list(item),
    ...more,
    links: object({ prev: orNull(number), next: orNull(number) }),
    meta: object({ size: number, total: number }),
    unsupportedFilters: texts,
    _response_contract: responseContract,
  })
}

/** Of a list with filters by what a journey tells. */
export const filtered = {
  understood: object({ scac: maybe(text), pol: maybe(text), pod: maybe(text), status: maybe(text) }),
  unknown: list(object({ what: text, count: numberOrNull, message: text })),
}

/** `links` are numbers of pages. A filter that nobody knows is refused, so there are no unsupported ones. */
export function writeList<Row>(
  page: Page<Row>,
  of: {
    /** By the clock that the rows' times are of. */
    readonly now: string
    readonly page: PageRequest
    readonly write: (row: Row) => unknown
    /** Rows that the filters could not be held against. */
    readonly unknown?: readonly Unknown[]
  },
) {
  const { number: current, size } = of.page
  const isLast = current * size >= page.total
  const isAllKnown = (of.unknown ?? []).length === 0
  return {
    items: page.rows.map(of.write),
    links: { prev: current > 1 ? current - 1 : null, next: isLast ? null : current + 1 },
    meta: { size: page.rows.length, total: page.total },
    unsupportedFilters: [],
    _response_contract: writeContract({
      total_is_reliable: isAllKnown && page.isEstimated !== true,
      now: writeInstant(of.now, null),
    }),
  }
}

export function writeUnknown(unknown: readonly Unknown[], rows: 'containers' | 'shipments') {
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

const names: Readonly<Record<Unknown['what'], string>> = {
  pol: 'port of lading',
  pod: 'port of discharge',
  vesselImo: 'ship',
  podEtaAt: 'arrival estimate',
  earliestLfd: 'last free day',
  holds: 'holds',
}

const reasons: Readonly<Record<Unknown['what'], string>> = {
  pol: 'no source has named it',
  pod: 'no source has named it',
  vesselImo: 'no source has named it',
  podEtaAt: 'no source has given one',
  earliestLfd: 'no line, terminal or railway has given one',
  holds: 'no terminal has spoken',
}

/** What is known of nobody comes first, for an empty table says less than it seems to. */
export function listGuidance(
  page: Page<unknown>,
  of: {
    readonly page: PageRequest
    readonly unknown?: readonly Unknown[]
    readonly tools?: readonly string[]
  },
): Guidance {
  const isLast = of.page.number * of.page.size >= page.total
  const table = 'Show a table; say how many there are in all and which page this is.'
  const isAllKnown = (of.unknown ?? []).length === 0
  return {
    presentation: isAllKnown
      ? table
      : `${table} Say of how many it is not known (\`unknown\`): never say "none" where nobody has spoken.`,
    followUps: isLast ? [] : [`Show page ${of.page.number + 1}?`],
    tools: of.tools ?? [],
  }
}
