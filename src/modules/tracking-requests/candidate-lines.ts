/**
 * Which lines are polled for a number whose line is not given, and in which order: the predicted ones, then the lines
 * that carry the containers and bills of the likeliest one, then every other line with an access, likeliest first. They
 * are polled one at a time, because each poll uses the line's rate limit, and the first line that has the number makes
 * all other polls needless.
 */

import { findSource } from '../../connectors/source-registry.ts'
import type { Db } from '../../db/database.ts'
import type { CandidateLine, ExcludedLine, SearchRules } from '../../domain/tracking-requests/line-detection.ts'
import { type RequestType, requestTypeOfKind } from '../../domain/tracking-requests/tracking-request-state.ts'
import { linesSharingContainers } from '../../inference/carriers.ts'
import type { Inference } from '../../inference/infer.ts'
import { ensurePollTargets } from '../../pipeline/polling/candidate-poll-targets-sql.ts'
import { type PollTargetKind, pollNoLaterThan } from '../../pipeline/polling/poll-targets-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { allShippingLines, compactNumber, findShippingLine, type ShippingLine } from '../../reference/shipping-lines.ts'
import { findLineAccesses, type LineAccess, readSearchSettings, type SearchSettings } from '../accounts/accounts-sql.ts'
import { realNow, type Service } from '../service.ts'

/** Longer than a line takes to answer, or to time out. */
const patienceMs = 120_000

export function requestTypeOf({ numberType }: Inference): RequestType {
  return requestTypeOfKind(numberType)
}

/** Brands that the model counts as part of another line come last. */
export function orderCandidateLines({ shippingLine, ranked }: Inference): readonly ShippingLine[] {
  const predicted = shippingLine.candidates.map(({ scac }) => scac)
  const sisters = predicted[0] === undefined ? [] : linesSharingContainers(predicted[0])
  const others = allShippingLines().map(({ scac }) => scac)
  const order = new Set([...predicted, ...sisters, ...ranked, ...others])
  return [...order].flatMap((scac) => findShippingLine(scac) ?? [])
}

export interface LineSearch {
  readonly candidates: readonly CandidateLine[]
  readonly rules: SearchRules
}

/**
 * Finds the lines that this account can and may poll, each with its poll target. The first one is due for a poll at
 * once.
 */
export async function openLineSearch(
  db: Db,
  service: Service,
  lines: readonly ShippingLine[],
  of: {
    readonly accountId: string
    readonly isSandbox: boolean
    readonly kind: PollTargetKind
    readonly number: string
    readonly now: string
  },
): Promise<LineSearch> {
  const accesses = await findLineAccesses(db, { ...of, scacs: lines.map(({ scac }) => scac) })
  const settings = await readSearchSettings(db, of.accountId)
  const { polled, excluded } = chooseLines(lines, accesses, of.kind, settings)
  const wanted = polled.map(({ line, access }) => ({
    id: uuidV7(service.clock.now()),
    credentialId: access.credentialId,
    scac: line.scac,
    number: compactNumber(line, of.number),
  }))
  const pollTargets = await ensurePollTargets(db, of.kind, wanted, of.now)
  const candidates = wanted.flatMap(({ scac, number, credentialId }) => {
    const pollTargetId = pollTargets.get(credentialId)
    return pollTargetId === undefined ? [] : [{ scac, number, subjectId: pollTargetId }]
  })
  const [first] = candidates
  if (first !== undefined) await pollNoLaterThan(db, first.subjectId, { at: realNow(service), accountId: of.accountId })
  const pace = service.journeyClock(of.isSandbox).pace()
  return { candidates, rules: { patienceMs: Math.ceil(patienceMs * pace), leftOut: excluded } }
}

/**
 * Leaves out lines whose calls cost money, unless the account allows them. Of the others it uses as many as the account
 * allows.
 */
function chooseLines(
  lines: readonly ShippingLine[],
  accesses: readonly LineAccess[],
  kind: PollTargetKind,
  { linesMax, isBilledAllowed }: SearchSettings,
): {
  readonly polled: readonly { readonly line: ShippingLine; readonly access: LineAccess }[]
  readonly excluded: readonly ExcludedLine[]
} {
  const accessOf = new Map(accesses.map((access) => [access.scac, access]))
  const polled: { line: ShippingLine; access: LineAccess }[] = []
  const excluded: ExcludedLine[] = []
  for (const line of lines) {
    const access = accessOf.get(line.scac)
    const ability = access && findSource(access.source)?.abilityOf(access.profile)
    if (access === undefined || !ability?.supportedKinds.includes(kind)) continue
    if (ability.isBilled && !isBilledAllowed) excluded.push({ scac: line.scac, because: 'billed' })
    else if (linesMax !== null && polled.length >= linesMax) excluded.push({ scac: line.scac, because: 'limit' })
    else polled.push({ line, access })
  }
  return { polled, excluded }
}
