/** Makes each named statement a span of the work that sends it: its name, how many rows, never a value. */

import type pg from 'pg'
import type { SpanStart } from '../platform/live-span.ts'
import { withChildSpan } from '../platform/traces.ts'

type Query = (...args: readonly unknown[]) => unknown
type NamedStatement = { readonly name: string }

/** For a pool that is opened while traces are on; another pool stays as it is. */
export function traceStatements(pool: pg.Pool): void {
  // The pool sends its own statements through a connection, perhaps when somebody else gives one back. The span of such
  // a statement is made here, and the connection must not make a second one, in the work of somebody else.
  const traced = new WeakSet<object>()
  const wrap = (query: Query, isPool: boolean): Query => {
    return (statement, ...rest) => {
      if (!isNamed(statement) || rest.length > 0 || traced.has(statement)) return query(statement, ...rest)
      return withChildSpan(
        statement.name,
        () => createStatementSpanStart(statement.name),
        async (span) => {
          const marked = { ...statement }
          if (isPool) traced.add(marked)
          const result = (await query(marked)) as pg.QueryResult
          span.set({ 'db.response.returned_rows': result.rowCount ?? undefined })
          return result
        },
      )
    }
  }
  pool.query = wrap(pool.query.bind(pool) as Query, true) as typeof pool.query
  pool.on('connect', (client) => {
    client.query = wrap(client.query.bind(client) as Query, false) as typeof client.query
  })
}

function isNamed(statement: unknown): statement is NamedStatement {
  return (
    typeof statement === 'object' &&
    statement !== null &&
    'name' in statement &&
    typeof statement.name === 'string' &&
    !('submit' in statement)
  )
}

function createStatementSpanStart(name: string): SpanStart {
  return { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name } }
}
