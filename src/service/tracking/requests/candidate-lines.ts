/**
 * Which lines are asked for a number whose line is not given, and in which order: the predicted ones, then the lines
 * that carry the boxes and bills of the likeliest one, then every other line with an access, likeliest first. They are
 * asked one at a time, because each question uses the line's rate limit, and the first line that has the number makes
 * all other questions needless.
 */

import type { CandidateLine, LeftOutLine, SearchRules } from '../../../core/requests/line-detection.ts'
import { type RequestType, requestTypeOfKind } from '../../../core/requests/tracking-request-state.ts'
import { sharesBoxes } from '../../../inference/carriers.ts'
import type { Inference } from '../../../inference/infer.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import {
  allShippingLines,
  findShippingLine,
  type ShippingLine,
  tidyNumber,
} from '../../../reference/shipping-lines.ts'
import { findSource } from '../../../sources/registry.ts'
import type { Db } from '../../../store/database.ts'
import { ensureSubjects } from '../../../store/looks/candidate-subjects.ts'
import { lookNoLaterThan, type SubjectKind } from '../../../store/looks/subjects.ts'
import {
  findLineAccesses,
  type LineAccess,
  readSearchSettings,
  type SearchSettings,
} from '../../../store/people/accounts.ts'
import { realNow, type Service } from '../../service.ts'

/** Longer than a line takes to answer, or to time out. */
const patienceMs = 120_000

export function requestTypeOf({ numberType }: Inference): RequestType {
  return requestTypeOfKind(numberType)
}

/** Brands that the model counts as part of another line come last. */
export function linesInOrder({ shippingLine, ranked }: Inference): readonly ShippingLine[] {
  const predicted = shippingLine.candidates.map(({ scac }) => scac)
  const sisters = predicted[0] === undefined ? [] : sharesBoxes(predicted[0])
  const others = allShippingLines().map(({ scac }) => scac)
  const order = new Set([...predicted, ...sisters, ...ranked, ...others])
  return [...order].flatMap((scac) => findShippingLine(scac) ?? [])
}

export interface Search {
  readonly candidates: readonly CandidateLine[]
  readonly rules: SearchRules
}

/**
 * Finds the lines that this account can and may ask, each with its subject. The first one is due for a look at once.
 */
export async function openSearch(
  db: Db,
  service: Service,
  lines: readonly ShippingLine[],
  of: {
    readonly accountId: string
    readonly isFiction: boolean
    readonly kind: SubjectKind
    readonly number: string
    readonly now: string
  },
): Promise<Search> {
  const accesses = await findLineAccesses(db, { ...of, scacs: lines.map(({ scac }) => scac) })
  const settings = await readSearchSettings(db, of.accountId)
  const { asked, leftOut } = chooseLines(lines, accesses, of.kind, settings)
  const wanted = asked.map(({ line, access }) => ({
    id: uuidV7(service.clock.now()),
    credentialId: access.credentialId,
    scac: line.scac,
    number: tidyNumber(line, of.number),
  }))
  const subjects = await ensureSubjects(db, of.kind, wanted, of.now)
  const candidates = wanted.flatMap(({ scac, number, credentialId }) => {
    const subjectId = subjects.get(credentialId)
    return subjectId === undefined ? [] : [{ scac, number, subjectId }]
  })
  const [first] = candidates
  if (first !== undefined)
    await lookNoLaterThan(db, first.subjectId, { at: realNow(service), accountId: of.accountId })
  const pace = service.journeyClock(of.isFiction).pace()
  return { candidates, rules: { patienceMs: Math.ceil(patienceMs * pace), leftOut } }
}

/**
 * Leaves out lines whose calls cost money, unless the account allows them. Of the others it takes as many as the
 * account allows.
 */
function chooseLines(
  lines: readonly ShippingLine[],
  accesses: readonly LineAccess[],
  kind: SubjectKind,
  { linesMax, isBilledAllowed }: SearchSettings,
): {
  readonly asked: readonly { readonly line: ShippingLine; readonly access: LineAccess }[]
  readonly leftOut: readonly LeftOutLine[]
} {
  const accessOf = new Map(accesses.map((access) => [access.scac, access]))
  const asked: { line: ShippingLine; access: LineAccess }[] = []
  const leftOut: LeftOutLine[] = []
  for (const line of lines) {
    const access = accessOf.get(line.scac)
    const ability = access && findSource(access.source)?.abilityOf(access.profile)
    if (access === undefined || !ability?.asksBy.includes(kind)) continue
    if (ability.isBilled && !isBilledAllowed) leftOut.push({ scac: line.scac, because: 'billed' })
    else if (linesMax !== null && asked.length >= linesMax)
      leftOut.push({ scac: line.scac, because: 'limit' })
    else asked.push({ line, access })
  }
  return { asked, leftOut }
}
