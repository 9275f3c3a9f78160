/**
 * SQL for which tracking requests are live: the rule of the domain, except that numbers of the test line may be
 * repeated.
 */

import { liveStatuses } from '../../domain/tracking-requests/tracking-request-state.ts'
import { testScac } from '../../domain/values/identifiers.ts'

/** The live statuses as a list in SQL, with brackets. */
export const liveOnes = `(${liveStatuses.map((status) => `'${status}'`).join(', ')})`

/** SQL: at most one request of a number at a line meets this at a time. */
export function isUniqueByNumberSql(request: string): string {
  return `${request}.status in ${liveOnes} and ${request}.scac <> '${testScac}'`
}
