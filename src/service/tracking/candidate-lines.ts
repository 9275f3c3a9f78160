/** Which lines are asked for a number whose line is not given, and in which order. */

import type { CandidateLine } from '../../core/line-detection.ts'
import type { RequestType } from '../../core/tracking-request-state.ts'
import { sharesBoxes } from '../../inference/carriers.ts'
import type { Inference } from '../../inference/infer.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { findShippingLine, type ShippingLine, tidyNumber } from '../../reference/shipping-lines.ts'
import { findCredentials } from '../../store/accounts.ts'
import type { Db } from '../../store/database.ts'
import { ensureSubject, type SubjectKind } from '../../store/subjects.ts'
import { realNow, type Service } from '../service.ts'

/** More would be guessing at the lines' expense. */
const askedMax = 4

export function requestTypeOf({ numberType }: Inference): RequestType {
  return numberType === 'booking' ? 'booking_number' : numberType
}

/** The predicted lines, likeliest first; after them those that carry the boxes and bills of the first. */
export function likelyLines({ shippingLine }: Inference): readonly ShippingLine[] {
  const predicted = shippingLine.candidates.map(({ scac }) => scac)
  const sisters = predicted[0] === undefined ? [] : sharesBoxes(predicted[0])
  return [...new Set([...predicted, ...sisters])].flatMap((scac) => findShippingLine(scac) ?? [])
}

/** Those that this account can ask, at most four, each with its subject; the first is due for a look at once. */
export async function readyCandidates(
  db: Db,
  service: Service,
  likely: readonly ShippingLine[],
  of: {
    readonly accountId: string
    readonly isFiction: boolean
    readonly kind: SubjectKind
    readonly number: string
    readonly now: string
  },
): Promise<readonly CandidateLine[]> {
  const credentials = await findCredentials(db, { ...of, scacs: likely.map(({ scac }) => scac) })
  const asked = likely.filter(({ scac }) => credentials.has(scac)).slice(0, askedMax)
  const candidates = new Map<string, CandidateLine>()
  // In one order for all: two requests for one number make the same subjects.
  for (const line of asked.toSorted((a, b) => (a.scac < b.scac ? -1 : 1))) {
    const number = tidyNumber(line, of.number)
    const subjectId = await ensureSubject(db, {
      id: uuidV7(service.clock.now()),
      credentialId: credentials.get(line.scac) ?? '',
      scac: line.scac,
      kind: of.kind,
      number,
      createdAt: of.now,
      dueAt: line === asked[0] ? realNow(service) : null,
    })
    candidates.set(line.scac, { scac: line.scac, number, subjectId })
  }
  return asked.flatMap(({ scac }) => candidates.get(scac) ?? [])
}
