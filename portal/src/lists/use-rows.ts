/** The rows of a list, read page by page as the reader asks for more. */

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Answer, type AnswerOf, type Query, type QueryOf, type Refusal, written } from '../api/connection.ts'
import type { Gets } from '../api/gets.generated.ts'
import { Joined } from '../api/joined.ts'
import { totalOf, useConnection } from '../api/queries.ts'

type Lists = { [P in keyof Gets]: Gets[P]['data'] extends readonly unknown[] ? P : never }[keyof Gets]
type RowOf<Path extends Lists> = Gets[Path]['data'] extends readonly (infer Row)[] ? Row : never

const pageSize = 100

export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly joined: Joined
  readonly total: number | null
  /** Counting all rows would take too long. */
  readonly isEstimated: boolean
  readonly meta: object | undefined
  readonly error: Refusal | null
  readonly isReading: boolean
  /** These rows are those of the last filters, until the new ones are read. */
  readonly isOld: boolean
  /** Another for other filters or another order. */
  readonly rowsKey: string
  /** All rows, where they came at once; null where there are more of them. */
  readonly whole: readonly unknown[] | null
  /** The list was read, and has no row. */
  readonly isEmpty: boolean
  readonly hasMore: boolean
  readonly readMore: () => void
  readonly again: () => void
}

/** `isByNumber`: the list has page numbers and no positions. */
export function useRows<Path extends Lists & string>(
  path: Path,
  query: Query = {},
  { isByNumber = false }: { readonly isByNumber?: boolean } = {},
): Rows<RowOf<Path>> {
  const connection = useConnection()
  const found = useInfiniteQuery<AnswerOf<Path>, Refusal, InfiniteData<AnswerOf<Path>>, unknown[], Query>({
    queryKey: [path, 'rows', query],
    queryFn: ({ pageParam, signal }) =>
      connection.read(path, {
        // safe: every list has these parameters, and the filters come from their own parameters
        query: { ...query, 'page[size]': pageSize, ...pageParam } as unknown as QueryOf<Path>,
        signal,
      }),
    initialPageParam: isByNumber ? {} : { 'page[after]': '' },
    getNextPageParam: ({ links }) => pageOf(links?.['next']),
    placeholderData: (last) => last,
  })
  const pages = found.data?.pages
  const read = useMemo(() => joinPages<RowOf<Path>>(pages ?? []), [pages])
  return {
    ...read,
    total: totalOf(pages?.[0]),
    isEstimated: isEstimated(pages?.[0]?.meta),
    meta: pages?.[0]?.meta,
    error: found.error,
    isReading: found.isFetching,
    isOld: found.isPlaceholderData,
    rowsKey: path + written(query),
    whole: pages?.length === 1 && !found.hasNextPage ? read.rows : null,
    isEmpty: pages !== undefined && read.rows.length === 0,
    hasMore: found.hasNextPage,
    readMore: () => void (found.isFetching || found.fetchNextPage()),
    again: () => void found.refetch(),
  }
}

function joinPages<Row>(pages: readonly Answer<unknown, unknown>[]): {
  rows: readonly Row[]
  joined: Joined
} {
  // safe: each page of a list has rows of the list's own type
  const rows = pages.flatMap(({ data }) => data as readonly Row[])
  return {
    rows,
    joined: new Joined({ data: rows, included: pages.flatMap(({ included }) => included ?? []) }),
  }
}

/** The position or the number of the next page. */
function pageOf(next: string | null | undefined): Query | undefined {
  if (next === null || next === undefined) return undefined
  const names = ['page[after]', 'page[number]']
  const found = [...new URL(next).searchParams].filter(([name]) => names.includes(name))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const isEstimated = (meta: object | undefined): boolean => meta !== undefined && 'total_is_estimated' in meta
