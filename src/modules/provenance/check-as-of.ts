/** The moment that a question is about: one in the past, on the clock of the account's journeys. */

import { compareInstants } from '../../domain/values/time.ts'
import type { Context } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'

/** Refuses a moment in the future. The present second has not ended: its end is now. */
export function checkAsOf(service: Service, context: Context, asOf: string): string {
  const now = journeyNow(service, context.account.isSandbox)
  if (compareInstants(asOf, now) <= 0) return asOf
  if (asOf.slice(0, 19) === now.slice(0, 19)) return now
  throw new ServiceError('invalid', `\`as_of\` is in the future: it is ${now} now. Give a time in the past.`, {
    source: { parameter: 'as_of' },
  })
}
