/** Beside an arrival: how many days it has moved, with the first estimate on hover. */

import { nameDay } from '../../../src/domain/view/day-count.ts'
import { words } from '../words/words.ts'
import { type Estimates, slipOf, slipWords } from './slip.ts'
import { todayIn } from './time.ts'

/** The slip has a colour only as long as it can still be acted on. */
export function Slip({
  at,
  estimates,
  isActual,
}: {
  at: string | null | undefined
  estimates: Estimates
  isActual: boolean
}) {
  const slip = slipOf(at, estimates)
  if (slip === null) return null
  const title = words.said.firstEstimate(nameDay(slip.first, todayIn(estimates.pod_timezone)))
  return (
    <span className={`slip ${isActual ? 'quiet' : slip.tone}`} title={title}>
      {slipWords(slip.days)}
    </span>
  )
}
