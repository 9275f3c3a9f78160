/** Which tracking requests are live, as SQL says it: the rule of the core, and that numbers of the test line may be repeated. */

import { testScac } from '../../core/identifiers.ts'
import { liveStatuses } from '../../core/tracking-request-state.ts'

/** Of a list of statuses, in brackets. */
export const liveOnes = `(${liveStatuses.map((status) => `'${status}'`).join(', ')})`

/** Of a number of a line there is one of them at a time. */
export function isOneOfItsNumber(request: string): string {
  return `${request}.status in ${liveOnes} and ${request}.scac <> '${testScac}'`
}
