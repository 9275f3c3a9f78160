/** Where the order `urgency` of shipments and containers begins. */

import { overdueDaysMax } from '../../core/shown/attention-reasons.ts'
import { addDays, localDateIn } from '../../core/values/time.ts'
import type { Context } from '../context.ts'
import { journeyNow, type Service } from '../service.ts'

/** What was to be done before this day (`2026-02-03`) comes last: nobody will do it any more. */
export function urgentFrom(service: Service, { account }: Context): string {
  return addDays(localDateIn(journeyNow(service, account.isFiction), null), -overdueDaysMax)
}
