/** The line that operates each container, as a terminal's EDIFACT messages name it. */

import { readContainerReports } from '../../connectors/edifact/container-reports.ts'
import { readMessages } from '../../connectors/edifact/messages.ts'
import { readSegments } from '../../connectors/edifact/segments.ts'
import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import { findOperator } from '../../inference/liner-codes.ts'

/** SCACs by container number; null for a container for which two operators are named. */
export type Operators = ReadonlyMap<string, string | null>

/** Holds one message at a time in memory. */
export function operatorsIn(body: Buffer): Operators {
  const found = new Map<string, string | null>()
  const ignoreFault = (): void => {}
  for (const message of readMessages(readSegments([body], ignoreFault), ignoreFault))
    for (const { containers } of readContainerReports({ messages: [message], segments: [] }))
      for (const { number, carrier } of containers) {
        const parsed = parseContainerNumber(number)
        const scac = carrier === null ? null : findOperator(carrier)
        if (!parsed.ok || scac === null) continue
        const other = found.get(parsed.value)
        found.set(parsed.value, other === undefined || other === scac ? scac : null)
      }
  return found
}
