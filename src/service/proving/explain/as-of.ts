/** The moment that a question is about: one in the past, on the clock of the account's journeys. */

import { compareInstants } from '../../../core/values/time.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { journeyNow, type Service } from '../../service.ts'

/** Refuses a moment in the future. */
export function checkAsOf(service: Service, context: Context, asOf: string): string {
  const now = journeyNow(service, context.account.isFiction)
  if (compareInstants(asOf, now) <= 0) return asOf
  throw new ServiceError(
    'invalid',
    `\`as_of\` is in the future: it is ${now} now. Give a time in the past.`,
    {
      source: { parameter: 'as_of' },
    },
  )
}
