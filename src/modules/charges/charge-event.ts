/**
 * The event of a change of a container's charges: for each terms, the values before and after, and which source stated
 * them.
 */

import { calculateChargeSums, rateOn, type TermsTally } from '../../domain/charges/tally.ts'
import type { TallyChange, TermsChange } from '../../domain/charges/tally-changes.ts'
import { localDateIn } from '../../domain/values/time.ts'
import type { DomainEvent } from '../../pipeline/projection/domain-events-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'

/** `at`: now on the clock of the account's journeys. */
export function chargeEvent(
  container: { readonly id: string; readonly shipmentId: string },
  change: TallyChange,
  at: string,
): DomainEvent {
  const id = uuidV7(Date.parse(at))
  return {
    id,
    name: `container.charges.${change.kind}`,
    referenceId: id,
    trackingRequestId: null,
    shipmentId: container.shipmentId,
    containerId: container.id,
    payload: { timestamp: at, terms: change.terms.map((each) => writeChange(each, at)) },
  }
}

function writeChange({ kind, before, after, causes }: TermsChange, at: string): object {
  const latestTerms = after ?? before
  if (latestTerms === null) throw new Error('a change of terms has no state before and none after')
  const { owed } = calculateChargeSums(latestTerms, { now: at, until: localDateIn(at, latestTerms.zone) })
  return {
    change: kind,
    causes,
    code: latestTerms.code,
    version: latestTerms.version,
    kind: latestTerms.kind,
    charged_by: latestTerms.chargedBy,
    counts: after !== null,
    phase: latestTerms.phase,
    missing: latestTerms.missing,
    last_free_day_before: lastFreeDayOf(before),
    last_free_day: lastFreeDayOf(after),
    first_charged_day: latestTerms.chargedFrom?.day ?? null,
    stopped_on: latestTerms.stoppedOn,
    rate: rateOn(latestTerms, at),
    owed: {
      totals: owed.totals,
      charged_days: owed.chargedDays,
      unpriced_days: owed.unpricedDays,
      unknown_days: owed.unknownDays,
    },
    sentence: latestTerms.sentence,
    claim_ids: latestTerms.claimIds,
  }
}

function lastFreeDayOf(tally: TermsTally | null): string | null {
  return tally?.lastFreeDay?.day ?? null
}
