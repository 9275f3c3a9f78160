/**
 * A link for the first person, who has no password yet and then does not need to search for the first API key. It works
 * once, for ten minutes, only while there are no people yet and only where no other machine can reach the server. It
 * leads to a page that requests name, e-mail address and password, so that its user is a person like any other
 * afterwards.
 */

import type { Db } from '../../db/database.ts'
import { callIt, startIt } from '../../platform/call-it.ts'
import { findFirstAccount } from '../accounts/first-account.ts'
import { findRemoteAccessSetting, linkTo } from '../derived-settings.ts'
import { ServiceError } from '../errors.ts'
import { hasUsers } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { consumeSignInLink, findSignInLink, putSignInLink } from './sign-in-tokens-sql.ts'
import { makeToken, tokenHmac } from './token.ts'

export const signInLinkPath = '/first-sign-in'
const goodForMs = 600_000

/** Only the newest link works. Refuses with a sentence for the operator. */
export async function makeSignInLink(service: Service): Promise<string> {
  const { pool, config, clock } = service
  if (findRemoteAccessSetting(config) !== null) {
    throw new ServiceError(
      'forbidden',
      'A sign-in link needs a server that only this machine can reach: LANDFALL_HOST must be a loopback address, and LANDFALL_PUBLIC_URL and LANDFALL_TRUSTED_PROXIES must not be set. Or sign up with the first API key.',
    )
  }
  if (await hasUsers(pool)) {
    throw new ServiceError(
      'conflict',
      `There is already a user, and a sign-in link is only for the first person. \`${callIt} users reset-link <e-mail>\` makes a link for a user who forgot the password.`,
    )
  }
  const accountId = await findFirstAccount(service)
  if (accountId === null)
    throw new ServiceError('conflict', `There is no account yet. Start Landfall once (${startIt}).`)
  const token = makeToken()
  await putSignInLink(pool, {
    hmac: tokenHmac(service, 'first_person', token),
    accountId,
    expiresAt: new Date(clock.now() + goodForMs).toISOString(),
  })
  return linkTo(config, `${signInLinkPath}?token=${token}`)
}

/**
 * Called at the end of a start. The link is null where none should be shown, for example where the output is no
 * terminal and so may be stored.
 */
export async function offerSignInLink(
  service: Service,
  { isTerminal }: { readonly isTerminal: boolean },
): Promise<{ readonly hasPeople: boolean; readonly link: string | null }> {
  const hasPeople = await hasUsers(service.pool)
  const isOffered = isTerminal && !hasPeople && findRemoteAccessSetting(service.config) === null
  return { hasPeople, link: isOffered ? await makeSignInLink(service) : null }
}

/**
 * The account whose owner the link makes. Refuses a link that was used, has expired, or was replaced by a newer one.
 */
export async function getSignInLink(service: Service, token: string): Promise<{ readonly accountId: string }> {
  const isGood = findRemoteAccessSetting(service.config) === null && !(await hasUsers(service.pool))
  const found = isGood ? await findSignInLink(service.pool, toLinkKey(service, token)) : null
  if (found === null) throw linkExpiredError()
  return found
}

/**
 * Runs in the transaction that creates the person: of two people who use the link at the same moment, only one
 * succeeds.
 */
export async function useSignInLink(db: Db, service: Service, token: string): Promise<void> {
  if (!(await consumeSignInLink(db, toLinkKey(service, token)))) throw linkExpiredError()
}

function toLinkKey(service: Service, token: string): { readonly hmac: Buffer; readonly now: string } {
  return { hmac: tokenHmac(service, 'first_person', token), now: realNow(service) }
}

function linkExpiredError(): ServiceError {
  return new ServiceError(
    'not_found',
    `This link was used already or has run out. While nobody has signed up, \`${callIt} sign-in-link\` makes another.`,
  )
}
