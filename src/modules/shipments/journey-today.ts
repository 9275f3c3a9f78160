/** The day from which lists count days. */

import { localDateIn } from '../../domain/values/time.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'

/** Today in UTC (`2026-02-03`); for an account of the sandbox by the clock of its journeys. */
export function journeyToday(service: Service, { account }: Context): string {
  return localDateIn(journeyNow(service, account.isSandbox), null)
}
