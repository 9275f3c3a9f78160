/** Rows of one table held in memory, as jsonb would give them back, and which of them the database does not have yet. */

export interface HeldRows<Row extends { readonly id: string }> {
  readonly find: (id: string) => Row | undefined
  /** In the order in which they were made. */
  readonly all: () => readonly Row[]
  readonly put: (row: Row) => void
  /** Makes the row other, if there is one. */
  readonly change: (id: string, to: (row: Row) => Partial<Row>) => void
  readonly remove: (id: string) => void
  /** Those put since the last call. */
  readonly takeChanged: () => readonly Row[]
  /** Ids of those removed since the last call. */
  readonly takeRemoved: () => readonly string[]
}

export function holdRows<Row extends { readonly id: string }>(): HeldRows<Row> {
  const rows = new Map<string, Row>()
  let changed = new Map<string, Row>()
  let removed = new Set<string>()
  const put = (row: Row): void => {
    rows.set(row.id, row)
    changed.set(row.id, row)
  }
  return {
    find: (id) => rows.get(id),
    all: () => [...rows.values()],
    put,
    change: (id, to) => {
      const row = rows.get(id)
      if (row !== undefined) put({ ...row, ...to(row) })
    },
    remove: (id) => {
      if (rows.delete(id)) removed.add(id)
      changed.delete(id)
    },
    takeRemoved: () => {
      const taken = [...removed]
      removed = new Set()
      return taken
    },
    takeChanged: () => {
      const taken = [...changed.values()]
      changed = new Map()
      return taken
    },
  }
}

/** The value as jsonb gives it back: members that are undefined are none, the others in its order (of ASCII names). */
export function asJsonb<Value>(value: Value): Value {
  return normalized(value) as Value
}

function normalized(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(normalized)
  const members: [string, unknown][] = []
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push([name, normalized(member)])
  return Object.fromEntries(members.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)))
}
