/** How many containers each preset has, by one count of all statuses, and one of those that arrive soon. */

import type { Query } from '../api/connection.ts'
import { useRead } from '../api/queries.ts'
import { onceEach, queryOf } from './list-state.ts'
import { boxPhases } from './phases.ts'

/** `query`: the filters besides those of a preset. */
export function useBoxCounts(query: Query): Readonly<Record<string, number>> {
  // safe: these are the filters of the list, which the summary has as well
  const of = (more: Query) => ({
    query: { group_by: 'current_status', ...onceEach, ...query, ...more } as never,
    keepsLast: true,
  })
  const soon = boxPhases.find(({ id }) => id === 'arriving')?.filters ?? {}
  const byStatus = useRead('/v2/containers/summary', of({}))
  const arriving = useRead('/v2/containers/summary', of(queryOf(soon)))
  const groups = byStatus.data?.data
  if (groups === undefined) return {}
  const sumOf = (statuses: readonly string[] | null): number =>
    groups.reduce((sum, { key, count }) => (statuses?.includes(key ?? '') === false ? sum : sum + count), 0)
  return Object.fromEntries(
    boxPhases.flatMap(({ id, filters }): readonly (readonly [string, number])[] => {
      if (id !== 'arriving') return [[id, sumOf(filters['status']?.split(',') ?? null)]]
      return arriving.data === undefined ? [] : [[id, arriving.data.data.reduce((sum, { count }) => sum + count, 0)]]
    }),
  )
}
