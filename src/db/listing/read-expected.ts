/** What the planner expects of a statement that counts rows up to a limit. */

import type { Db } from '../database.ts'

interface RowEstimate {
  /** How many rows there are without the limit. */
  readonly expected: number
  readonly cost: number
}

export async function estimateRows(
  db: Db,
  of: { readonly text: string; readonly values: unknown[] },
): Promise<RowEstimate> {
  const { rows } = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
    text: `explain (format json) ${of.text}`,
    values: of.values,
  })
  const plan = unwrapDistributedPlan(rows[0]?.['QUERY PLAN'][0].Plan)
  return { expected: expectedOf(plan), cost: plan?.['Total Cost'] ?? 0 }
}

/** What `explain` shows of a step of a plan. */
interface Plan {
  readonly 'Node Type': string
  readonly 'Total Cost': number
  readonly 'Plan Rows': number
  readonly Plans?: readonly Plan[]
  /** Of the coordinator of a cluster: the plan is that of the node that has the account. */
  readonly 'Distributed Query'?: {
    readonly Job: {
      readonly Tasks: readonly [{ readonly 'Remote Plan': readonly [readonly [{ readonly Plan: Plan }]] }]
    }
  }
}

function unwrapDistributedPlan(plan: Plan | undefined): Plan | undefined {
  return plan?.['Distributed Query']?.Job.Tasks[0]['Remote Plan'][0][0].Plan ?? plan
}

/** How many rows the planner expects without the limit. */
function expectedOf(plan: Plan | undefined): number {
  const below = plan?.Plans?.[0]
  return plan?.['Node Type'] === 'Limit' || below === undefined ? (below?.['Plan Rows'] ?? 0) : expectedOf(below)
}
