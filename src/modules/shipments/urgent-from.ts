/** Where the order `urgency` of shipments and containers begins. */

import { addDays, localDateIn } from '../../domain/values/time.ts'
import { overdueDaysMax } from '../../domain/view/attention-reasons.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'

/** What was to be done before this day (`2026-02-03`) comes last: nobody will do it any more. */
export function urgentFrom(service: Service, { account }: Context): string {
  return addDays(localDateIn(journeyNow(service, account.isSandbox), null), -overdueDaysMax)
}
