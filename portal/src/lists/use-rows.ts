/** The rows of a list, read page by page as the reader scrolls. */

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer, AnswerOf, Query, QueryOf, Refusal } from '../api/connection.ts'
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
  readonly error: Refusal | null
  readonly isReading: boolean
  readonly hasMore: boolean
  readonly readMore: () => void
  readonly again: () => void
}

export function useRows<Path extends Lists & string>(path: Path, query: Query): Rows<RowOf<Path>> {
  const connection = useConnection()
  const found = useInfiniteQuery<AnswerOf<Path>, Refusal, InfiniteData<AnswerOf<Path>>, unknown[], string>({
    queryKey: [path, 'rows', query],
    queryFn: ({ pageParam, signal }) =>
      connection.read(path, {
        // safe: both lists of this page have these parameters, and the filters come from their own parameters
        query: { ...query, 'page[size]': pageSize, 'page[after]': pageParam } as unknown as QueryOf<Path>,
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ links }) => positionOf(links?.['next']),
    placeholderData: (last) => last,
  })
  const pages = found.data?.pages
  const read = useMemo(() => joinPages<RowOf<Path>>(pages ?? []), [pages])
  return {
    ...read,
    total: totalOf(pages?.[0]),
    error: found.error,
    isReading: found.isFetching,
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

function positionOf(next: string | null | undefined): string | undefined {
  if (next === null || next === undefined) return undefined
  return new URL(next).searchParams.get('page[after]') ?? undefined
}
