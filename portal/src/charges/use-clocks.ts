/**
 * Reads the clocks of the account: containers on the ground and on their way out, by their last free day, and those of
 * which terms are counted. Both lists are joined by container.
 */

import { useInfiniteQuery } from '@tanstack/react-query'
import type { Refusal } from '../api/connection.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { useRows } from '../lists/use-rows.ts'
import { isoDayIn } from '../parts/time.ts'
import { type ChargeSums, isBeingCounted } from './charges-document.ts'
import type { ChargedRow, Clock } from './clock.ts'
import { joinClocks } from './join-clocks.ts'

const onTheGround = 'grounded,available,not_available,awaiting_inland_transfer,on_rail,off_dock'
/** What ended longer ago says more about a missing report than about a container. The API has the same bound. */
const overdueDaysMax = 90
const dayMs = 86_400_000
const countingMs = 3_000
const chargedPagesMax = 4
const chargedPageSize = 500

export interface Clocks {
  readonly clocks: readonly Clock[]
  readonly sums: ChargeSums | null
  readonly until: string | null
  readonly error: Refusal | null
  readonly isRead: boolean
  readonly hasMore: boolean
  readonly readMore: () => void
  /** False: the account has more containers with terms than are read here. */
  readonly isComplete: boolean
  readonly again: () => void
}

export function useClocks(): Clocks {
  const charged = useCharged()
  // Simulated journeys have a clock of their own.
  const now = charged.asOf ?? Date.now()
  const from = isoDayIn(now - overdueDaysMax * dayMs, 'UTC')
  // With those of which nobody has given a day: they are unknown, not free.
  const ground = useRows('/v2/containers', { 'filter[status]': onTheGround, sort: 'urgency' })
  // A last free day may be told before the ship is there. Containers at sea without one are not on the clock.
  const afloat = useRead('/v2/containers', {
    query: {
      'filter[status]': 'on_ship',
      'filter[pickup_lfd][start]': from,
      'filter[pickup_lfd][end]': isoDayIn(now + overdueDaysMax * dayMs, 'UTC'),
      sort: 'pickup_lfd',
      'page[size]': 100,
    },
  })
  const error = ground.error ?? afloat.error ?? charged.error
  const boxes = [...ground.rows, ...(afloat.data?.data ?? [])]
  return {
    clocks: joinClocks(boxes, charged.rows, now),
    sums: charged.sums,
    until: charged.until,
    error,
    isRead: error === null && charged.isRead && !ground.isReading && afloat.data !== undefined,
    hasMore: ground.hasMore,
    readMore: ground.readMore,
    isComplete: charged.isComplete,
    again: ground.again,
  }
}

function useCharged(): {
  readonly rows: readonly ChargedRow[]
  readonly sums: ChargeSums | null
  readonly until: string | null
  readonly asOf: number | null
  readonly error: Refusal | null
  readonly isRead: boolean
  readonly isComplete: boolean
} {
  const connection = useConnection()
  const found = useInfiniteQuery({
    queryKey: ['/v2/charges', 'running'],
    queryFn: ({ pageParam, signal }) =>
      connection.read('/v2/charges', {
        query: { 'filter[running]': true, limit: chargedPageSize, after: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ links }) => afterOf(links?.['next']),
    // New terms are counted by a worker, and of what is free there are no news.
    refetchInterval: ({ state }) => {
      const sums = metaOf(state.data?.pages[0])?.all
      return sums != null && isBeingCounted(sums) ? countingMs : false
    },
  })
  const pages = found.data?.pages ?? []
  if (found.hasNextPage && !found.isFetching && pages.length < chargedPagesMax) void found.fetchNextPage()
  const first = metaOf(pages[0])
  return {
    rows: pages.flatMap(({ data }) => data),
    sums: first?.all ?? null,
    until: first?.until ?? null,
    asOf: first === undefined ? null : Date.parse(first.as_of),
    error: found.error as Refusal | null,
    isRead: found.data !== undefined,
    isComplete: !found.hasNextPage,
  }
}

interface ChargedMeta {
  readonly all: ChargeSums | null
  readonly until: string
  readonly as_of: string
}

function metaOf(page: { readonly meta?: unknown } | undefined): ChargedMeta | undefined {
  // safe: the description of this path says that its meta has these
  return page?.meta as ChargedMeta | undefined
}

function afterOf(next: string | null | undefined): string | null {
  return next ? new URL(next, location.href).searchParams.get('after') : null
}
