/**
 * The shipping lines, and what each offers here: whether this account may track by it, by which numbers, and what data
 * comes back.
 */

import { findProvidedData, mergeProvidedData, type ProvidedData } from '../../connectors/provided-data.ts'
import type { Ability, NumberKind } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { type AnswerWindow, jumpAnswers } from '../../domain/tracking-requests/event-counts.ts'
import { compareInstants } from '../../domain/values/time.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import {
  allShippingLines,
  findShippingLine,
  findShippingLineById,
  type ShippingLine,
} from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { findLineAccesses } from '../accounts/accounts-sql.ts'
import { type AttestedLine, listAttestedLines } from '../attestations/attestations.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { readLineReadings } from '../sources/line-readings-sql.ts'
import { findPushingLines } from '../tracking-requests/push-only-requests-sql.ts'
import { createEnabledCheck } from './enabled-lines.ts'

export interface LineOfAccount {
  readonly line: ShippingLine
  /**
   * True when a request of this account is accepted: the line is enabled for the account, and is polled or sends
   * messages here.
   */
  readonly isEnabled: boolean
  /**
   * Kinds of number by which messages of the line find a request of this account; empty where the line sends nothing.
   */
  readonly messageNumberKinds: readonly NumberKind[]
  /** By which numbers the line can be polled, and which data it can give; null without access. */
  readonly ability: Ability | null
  /** Which data the line can give here, whether it is polled or sends messages. */
  readonly provides: ProvidedData
  /**
   * When an operator saw that the access works with the line itself, with its present profile; null while nobody has.
   */
  readonly verifiedAt: string | null
  /** The line requested a pause and is polled again at this time (real clock); null when it did not. */
  readonly cooldownUntil: string | null
  /** How much of its newest answers, up to fifty, was understood; null while there are none. */
  readonly reading: AnswerWindow | null
  /** By how many installations it was seen; null while no attestation of the line is known here. */
  readonly attested: AttestedLine | null
}

/**
 * By which numbers the line can be tracked here: the line tracks by them, and our access can poll by them or the line
 * sends messages.
 */
export function findTrackableNumbers({ line, ability, messageNumberKinds }: LineOfAccount): ShippingLine['tracksBy'] {
  const isAvailableBy = (kind: NumberKind) =>
    ability?.supportedKinds.includes(kind) === true || messageNumberKinds.includes(kind)
  return {
    billOfLading: line.tracksBy.billOfLading && isAvailableBy('bill_of_lading'),
    booking: line.tracksBy.booking && isAvailableBy('booking'),
    container: line.tracksBy.container && isAvailableBy('container'),
  }
}

/** `search`: part of a name, in any case, or a SCAC. Null or empty for all. */
export async function listShippingLines(
  service: Service,
  context: Context,
  input: { readonly search: string | null },
): Promise<readonly LineOfAccount[]> {
  requireScope(context, 'read')
  const wanted = (input.search ?? '').trim().toUpperCase()
  const named = findNamedLine(wanted)
  return readLines(
    service,
    context,
    allShippingLines().filter(
      (line) =>
        (named.kind === 'line' && named.line === line) ||
        [line.scac, ...line.alternativeScacs].some((scac) => scac.startsWith(wanted)) ||
        [line.name, line.shortName].some((name) => name.toUpperCase().includes(wanted)),
    ),
  )
}

/** The lines among these SCACs, each once. */
export async function getShippingLines(
  service: Service,
  context: Context,
  input: { readonly scacs: readonly string[] },
): Promise<readonly LineOfAccount[]> {
  requireScope(context, 'read')
  const lines = new Set(input.scacs.flatMap((scac) => findShippingLine(scac) ?? []))
  return readLines(service, context, [...lines])
}

/** By id, SCAC or one of its alternative SCACs. */
export async function getShippingLine(
  service: Service,
  context: Context,
  input: { readonly idOrScac: string },
): Promise<LineOfAccount> {
  requireScope(context, 'read')
  const line = findShippingLine(input.idOrScac) ?? findShippingLineById(input.idOrScac)
  if (line === null) throw notFound('shipping line')
  const [found] = await readLines(service, context, [line])
  if (found === undefined) throw notFound('shipping line')
  return found
}

/** Messages of a channel of the whole installation reach an account only by bill of lading or booking. */
const ofDocuments: readonly NumberKind[] = ['bill_of_lading', 'booking']
const ofAll: readonly NumberKind[] = [...ofDocuments, 'container']

async function readLines(
  service: Service,
  { account }: Context,
  lines: readonly ShippingLine[],
): Promise<readonly LineOfAccount[]> {
  const isEnabled = await createEnabledCheck(service.pool, account)
  const accesses = await findLineAccesses(service.pool, {
    accountId: account.id,
    scacs: lines.map(({ scac }) => scac),
    isSandbox: account.isSandbox,
  })
  const pushingLines = await findPushingLines(service.pool, {
    accountId: account.id,
    isSandbox: account.isSandbox,
  })
  const pushingLineOf = new Map(pushingLines.map((each) => [each.scac, each]))
  const accessOf = new Map(accesses.map((access) => [access.scac, access]))
  const credentialIds = accesses.map(({ credentialId }) => credentialId)
  const readings = await readLineReadings(service.pool, { credentialIds, answers: jumpAnswers })
  const readingOf = new Map(readings.map((reading) => [reading.scac, reading.now]))
  const attestedLines = new Map((await listAttestedLines(service)).map((each) => [each.scac, each]))
  const now = realNow(service)
  return lines.map((line) => {
    const access = accessOf.get(line.scac)
    const ability = access === undefined ? null : (findSource(access.source)?.abilityOf(access.profile) ?? null)
    const until = access?.cooldownUntil ?? null
    const cooldownUntil = until !== null && compareInstants(until, now) > 0 ? until : null
    const reading = readingOf.get(line.scac) ?? null
    const sending = pushingLineOf.get(line.scac)
    const messageNumberKinds = sending === undefined ? [] : sending.isOwn ? ofAll : ofDocuments
    const provides = mergeProvidedData([
      ...(ability === null ? [] : [ability.provides]),
      ...(sending?.languages ?? []).map(findProvidedData),
    ])
    const isReached = ability !== null || messageNumberKinds.length > 0
    const verifiedAt = access?.verifiedAt ?? null
    const isLineEnabled = isReached && isEnabled(line)
    const attested = attestedLines.get(line.scac) ?? null
    const known = { ability, provides, verifiedAt, cooldownUntil, reading, attested }
    return { line, isEnabled: isLineEnabled, messageNumberKinds, ...known }
  })
}
