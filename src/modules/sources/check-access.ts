/**
 * Tests an operator's access to a line with a number, and shows the answer and how it is read. The answer is not
 * stored. If the caller wants it and the line finds the number, the access is marked as tested.
 */

import type { Ability, FetchResult, NumberKind, PollRequest } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { compactNumber, findShippingLine, normalizedNumber } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { carrierNotConfiguredError } from '../carriers/not-configured.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { findPolledAccess, markAccessVerified, type PolledAccess } from './polled-access-sql.ts'
import { type AnswerReading, guessNumberKind, readAnswer } from './read-answer.ts'

export interface AccessCheck {
  readonly scac: string
  readonly access: Pick<PolledAccess, 'id' | 'source' | 'profile'>
  readonly ability: Ability
  readonly answer: FetchResult
  /** Null where nothing came. */
  readonly reading: AnswerReading | null
  /** When the access was verified, now or before; null while nobody has verified it. */
  readonly verifiedAt: string | null
}

export interface CheckInput {
  readonly scac: string
  readonly number: string
  /** Null: a number in the form of a container number is one, anything else is a bill of lading. */
  readonly kind: NumberKind | null
  /** The operator accepts what the question costs. */
  readonly isPaid: boolean
  /** The access is marked as verified when the line finds the number. */
  readonly isVerifying: boolean
}

export async function checkAccess(service: Service, context: Context, input: CheckInput): Promise<AccessCheck> {
  requireScope(context, 'write')
  const { account } = context
  const line = findShippingLine(input.scac)
  if (line === null)
    throw new ServiceError('unknown_scac', `${input.scac.slice(0, 10)} is not the SCAC of a known line.`)
  const key = { accountId: account.id, scac: line.scac, isSandbox: account.isSandbox }
  const access = await findPolledAccess(service.pool, key)
  if (access === null) throw carrierNotConfiguredError(line.scac)
  if (input.isVerifying && account.isSandbox)
    throw new ServiceError('invalid', 'The lines of the sandbox are simulated, so there is nothing to check.')
  const ability = abilityOf(line.scac, access)
  if (ability.isBilled && !input.isPaid)
    throw new ServiceError(
      'invalid',
      `${line.name} (${line.scac}) bills every request, also refused ones. To poll it anyway, use --pay.`,
    )
  const number = normalizedNumber(line, compactNumber(line, input.number))
  const kind = input.kind ?? guessNumberKind(number)
  const answer = await fetchAnswer(service, access, { scac: line.scac, kind, number }, account.isSandbox)
  const reading =
    answer.kind === 'answered' ? readFetchedAnswer(service, access, { scac: line.scac, kind, number }, answer) : null
  const found = reading?.verdict === 'found' || reading?.verdict === 'known_without_data'
  const at = realNow(service)
  const isNoted = input.isVerifying && found && (await markAccessVerified(service.pool, { ...access, at }))
  const { id, source, profile } = access
  return {
    scac: line.scac,
    access: { id, source, profile },
    ability,
    answer,
    reading,
    verifiedAt: isNoted ? at : access.verifiedAt,
  }
}

/** The account's own access to a line, with its secrets; null where it has none, or only that of the installation. */
export async function findOwnAccess(
  { pool, encryption }: Service,
  { account: { id: accountId, isSandbox } }: Context,
  scac: string,
): Promise<(Pick<PolledAccess, 'profile'> & { readonly secrets: Readonly<Record<string, string>> }) | null> {
  const access = await findPolledAccess(pool, { accountId, scac, isSandbox })
  if (access?.accountId !== accountId) return null
  return { profile: access.profile, secrets: decryptSecrets(encryption, access.encryptedSecret) }
}

function abilityOf(scac: string, { source, profile }: PolledAccess): Ability {
  const ability = findSource(source)?.abilityOf(profile) ?? null
  if (ability === null) throw new ServiceError('invalid', `The profile of ${scac} is not valid: see carriers.json.`)
  return ability
}

/** Sends one question by hand, without the limits of polls. */
async function fetchAnswer(
  service: Service,
  { source: language, profile, encryptedSecret }: PolledAccess,
  request: PollRequest,
  isSandbox: boolean,
): Promise<FetchResult> {
  const source = findSource(language)
  if (source === null) throw new Error(`no source is called ${language}`)
  const secrets = decryptSecrets(service.encryption, encryptedSecret)
  const context = { egress: service.carrierEgress(isSandbox), now: () => service.clock.now() }
  return source.fetch(request, { profile, secrets }, context)
}

function readFetchedAnswer(
  service: Service,
  access: PolledAccess,
  { scac, kind, number }: PollRequest,
  { snapshot }: Extract<FetchResult, { readonly kind: 'answered' }>,
): AnswerReading {
  const { body, status, contentType, fetchedAt: at } = snapshot
  const answered = { status, contentType }
  return readAnswer(readRules(service.config), { scac, kind, number, body, at, access, answered })
}
