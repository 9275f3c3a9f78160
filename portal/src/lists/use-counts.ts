/** How many rows each preset has, by one count of all statuses, and one of those that arrive soon. */

import type { Query } from '../api/connection.ts'
import { useRead } from '../api/queries.ts'
import { type ListState, onceEach, queryOf } from './list-state.ts'
import { type Phase, phaseNames } from './phases.ts'

const paths = { containers: '/v2/containers/summary', shipments: '/v2/shipments/summary' } as const
const statusOf = { containers: 'current_status', shipments: 'status' } as const

/** With the filters besides those of a preset. */
export function useCounts(
  table: keyof typeof paths,
  phases: readonly Phase[],
  { values }: ListState,
): Readonly<Record<string, number>> {
  const besidesPhase = Object.entries(values).filter(([name]) => !(phaseNames as readonly string[]).includes(name))
  const query = queryOf(Object.fromEntries(besidesPhase.filter(([name]) => name !== 'sort')))
  // safe: these are the filters of the list, which the summary has as well
  const of = (more: Query) => ({
    query: { group_by: statusOf[table], ...onceEach, ...query, ...more } as never,
    keepsLast: true,
  })
  const soon = phases.find(({ id }) => id === 'arriving')?.filters ?? {}
  const byStatus = useRead(paths[table], of({}))
  const arriving = useRead(paths[table], of(queryOf(soon)))
  const groups = byStatus.data?.data
  if (groups === undefined) return {}
  const sumOf = (statuses: readonly string[] | null): number =>
    groups.reduce((sum, { key, count }) => (statuses?.includes(key ?? '') === false ? sum : sum + count), 0)
  return Object.fromEntries(
    phases.flatMap(({ id, filters }): readonly (readonly [string, number])[] => {
      if (id !== 'arriving') return [[id, sumOf(filters['status']?.split(',') ?? null)]]
      return arriving.data === undefined ? [] : [[id, arriving.data.data.reduce((sum, { count }) => sum + count, 0)]]
    }),
  )
}
