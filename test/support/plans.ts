/**
 * What a statement costs, in a measure that does not depend on how busy the machine is: how many rows its plan visits.
 */

import type { Db } from '../../src/db/database.ts'

type Statement = Parameters<Db['query']>[0]

/** A database that also collects what is sent to it. */
export function listenTo(db: Db): { readonly db: Db; readonly sent: readonly Statement[] } {
  const sent: Statement[] = []
  const query: Db['query'] = (statement) => {
    sent.push(statement)
    return db.query(statement)
  }
  return { db: { query }, sent }
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** The rows that these statements visit, in all tables and indexes, when they are run once more. */
export async function rowsVisited(db: Db, statements: readonly Statement[]): Promise<number> {
  let rows = 0
  for (const { text, values = [] } of statements) {
    const explained = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    })
    const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
    if (plan === undefined) throw new Error('the statement has no plan')
    rows += visitedBy(plan)
  }
  return rows
}

function visitedBy(plan: Plan): number {
  const isScan = /Scan/.test(plan['Node Type']) && !/CTE|Subquery|Function|WorkTable/.test(plan['Node Type'])
  const own = isScan ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  return (plan.Plans ?? []).reduce((sum, each) => sum + visitedBy(each), own * plan['Actual Loops'])
}
