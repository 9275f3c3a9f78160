/** What the pages ask of the API. Every key begins with the path, so that news make all of it stale at once. */

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf, Connection, QueryOf, Refusal } from './connection.ts'
import type { Gets } from './gets.generated.ts'

const root = getRouteApi('__root__')

export function useConnection(): Connection {
  return root.useRouteContext().connection
}

interface Asked<Path extends keyof Gets> {
  readonly ids?: readonly string[]
  readonly query?: QueryOf<Path>
  readonly isOn?: boolean
  /** Asked again after this time even without news. */
  readonly everyMs?: number
  /** The answer of the last address stays until the new one is there. */
  readonly keepsLast?: boolean
}

export function useRead<Path extends keyof Gets & string>(
  path: Path,
  { ids = [], query, isOn = true, everyMs, keepsLast = false }: Asked<Path> = {},
): UseQueryResult<AnswerOf<Path>, Refusal> {
  const connection = useConnection()
  return useQuery<AnswerOf<Path>, Refusal>({
    queryKey: [path, ids, query ?? {}],
    queryFn: ({ signal }) => connection.read(path, { ids, signal, ...(query === undefined ? {} : { query }) }),
    enabled: isOn,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsLast ? { placeholderData: (last: AnswerOf<Path> | undefined) => last } : {}),
  })
}

/** For answers that are not resources, such as GeoJSON. `shape` is what the description says. */
export function useAsk<Shape>(path: string, { isOn = true }: { isOn?: boolean } = {}): UseQueryResult<Shape, Refusal> {
  const connection = useConnection()
  return useQuery<Shape, Refusal>({
    queryKey: [path],
    // safe: the path's description says that its answer has this shape
    queryFn: () => connection.ask('GET', path) as Promise<Shape>,
    enabled: isOn,
  })
}

/** How many rows a list has; null before it is known. */
export function totalOf(answer: { readonly meta?: object } | undefined): number | null {
  const { total } = (answer?.meta ?? {}) as { readonly total?: unknown }
  return typeof total === 'number' ? total : null
}
