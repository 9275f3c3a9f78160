/** The event of a change of a box's charges: of each terms what they said before and say now, and on whose word. */

import { rateOn, sumsOf, type TermsTally } from '../../../core/charges/tally.ts'
import type { TallyChange, TermsChange } from '../../../core/charges/tally-changes.ts'
import { localDateIn } from '../../../core/values/time.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import type { DomainEvent } from '../../../store/journeys/domain-events.ts'

/** `at`: now on the clock of the account's journeys. */
export function chargeEvent(
  box: { readonly id: string; readonly shipmentId: string },
  change: TallyChange,
  at: string,
): DomainEvent {
  const id = uuidV7(Date.parse(at))
  return {
    id,
    name: `container.charges.${change.kind}`,
    referenceType: 'container_charges_event',
    referenceId: id,
    trackingRequestId: null,
    shipmentId: box.shipmentId,
    containerId: box.id,
    payload: { timestamp: at, terms: change.terms.map((each) => writeChange(each, at)) },
  }
}

function writeChange({ kind, before, after, causes }: TermsChange, at: string): object {
  const said = after ?? before
  if (said === null) throw new Error('terms changed that were not there before and are not now')
  const { owed } = sumsOf(said, { now: at, until: localDateIn(at, said.zone) })
  return {
    change: kind,
    causes,
    code: said.code,
    version: said.version,
    kind: said.kind,
    charged_by: said.chargedBy,
    counts: after !== null,
    phase: said.phase,
    missing: said.missing,
    last_free_day_before: dayOf(before),
    last_free_day: dayOf(after),
    first_charged_day: said.chargedFrom?.day ?? null,
    stopped_on: said.stoppedOn,
    rate: rateOn(said, at),
    owed: {
      totals: owed.totals,
      charged_days: owed.chargedDays,
      unpriced_days: owed.unpricedDays,
      unknown_days: owed.unknownDays,
    },
    sentence: said.sentence,
    claim_ids: said.claimIds,
  }
}

function dayOf(tally: TermsTally | null): string | null {
  return tally?.lastFreeDay?.day ?? null
}
