/** Issues of last free days: what is reported is not what the terms give. Each is there while it is so. */

import type { ChargedContainer } from '../../domain/charges/evidence.ts'
import type { ContainerCharges } from '../../domain/charges/read-charges.ts'
import { differenceIssueKind, type ReportedClock } from '../../domain/charges/reported.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'

export interface DifferenceIssue {
  readonly id: string
  readonly containerId: string
  readonly shipmentId: string
  readonly scac: string
  readonly kind: typeof differenceIssueKind
  readonly claimId: string
  readonly detail: string
}

const clockLabels: Readonly<Record<ReportedClock, string>> = {
  line: "the line's last free day",
  terminal: "the terminal's last free day",
  rail: "the railway's last free day",
  return: 'the last day to return the empty container',
}

export function buildDifferenceIssues(
  charged: ChargedContainer & { readonly id: string; readonly shipmentId: string },
  { differences, reported }: Pick<ContainerCharges, 'differences' | 'reported'>,
): readonly DifferenceIssue[] {
  return differences.map(({ of, terms, calculated, claimId, reported: day }) => {
    const source = reported.find((each) => each.claimId === claimId)?.source
    // The address of a person is not for a list of issues.
    const by = source === undefined || source.kind === 'user' ? 'a user' : `${source.kind} ${source.code}`
    return {
      id: uuidV5(LANDFALL_NAMESPACE, `charges:${charged.id}:${of}:${terms.code}:${claimId}`),
      containerId: charged.id,
      shipmentId: charged.shipmentId,
      scac: charged.scac,
      kind: differenceIssueKind,
      claimId,
      detail: `${charged.container.number}: ${by} reports ${day} as ${clockLabels[of]}, terms ${terms.code} version ${terms.version} give ${calculated}`,
    }
  })
}
