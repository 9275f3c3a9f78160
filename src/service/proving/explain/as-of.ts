/** Which moment is asked about: one that has been, on the clock that the account's journeys run on. */

import { compareInstants } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { journeyNow, type Service } from '../../service.ts'

/** Refuses what lies ahead. Of what was never recorded to a millisecond nothing is lost. */
export function checkAsOf(service: Service, context: Context, asOf: string): string {
  const now = journeyNow(service, context.account.isFiction)
  if (compareInstants(asOf, now) <= 0) return asOf
  throw new ServiceError(
    'invalid',
    `\`as_of\` lies ahead: it is ${now} now. Ask for a moment that has been.`,
    {
      source: { parameter: 'as_of' },
    },
  )
}
