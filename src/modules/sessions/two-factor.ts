/** A person sets up one-time codes, or removes them. In both cases they enter their password again. */

import { inTransaction } from '../../db/database.ts'
import { recordUserChange } from '../audit/record-user-change.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import {
  confirmTotp as confirmRow,
  countRecoveryCodes,
  findUser,
  putPendingTotp,
  putRecoveryCodes,
  removeTotp,
} from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'
import { confirmPassword, type SignedIn } from './confirm-password.ts'
import { findTotpStep, makeRecoveryCodes, makeTotpSecret, recoveryHmac, writeTotpLink } from './one-time-codes.ts'
import { rotateToken } from './open-session.ts'
import { revokeSessions } from './sessions-sql.ts'

export interface TwoFactorState {
  readonly isOn: boolean
  readonly recoveryCodesLeft: number
  /** A secret that waits for its first code; null when there is none. */
  readonly pending: { readonly secret: string; readonly link: string } | null
}

export async function getTwoFactor(service: Service, by: SignedIn): Promise<TwoFactorState> {
  const user = await findUser(service.pool, by.userId)
  const pending = user?.encryptedPendingTotp ?? null
  const secret = pending === null ? null : service.encryption.decrypt(pending)
  return {
    isOn: user?.encryptedTotp !== null,
    recoveryCodesLeft: await countRecoveryCodes(service.pool, by.userId),
    pending: secret === null ? null : { secret, link: writeTotpLink(secret, user?.email ?? '') },
  }
}

/** Sign-in does not require a code yet: the secret takes effect with its first right code. */
export async function startTwoFactor(
  service: Service,
  by: SignedIn,
  input: { readonly password: string },
): Promise<void> {
  await confirmPassword(service, by, input.password)
  const encrypted = service.encryption.encrypt(makeTotpSecret())
  await putPendingTotp(service.pool, { id: by.userId, encrypted, now: realNow(service) })
}

/**
 * Returns the recovery codes, which are shown only this once, and a new token for this session. All other sessions end.
 */
export async function confirmTwoFactor(
  service: Service,
  by: SignedIn,
  input: { readonly code: string },
): Promise<{ readonly recoveryCodes: readonly string[]; readonly token: string }> {
  const user = await findUser(service.pool, by.userId)
  const pending = user?.encryptedPendingTotp ?? null
  if (pending === null) throw new ServiceError('conflict', 'No one-time codes are being set up.')
  const step = findTotpStep(service, { secret: service.encryption.decrypt(pending), code: input.code })
  if (step === null) {
    throw refusedAt('/code', 'This is not the current code. Is the clock of your device right?')
  }
  const recoveryCodes = makeRecoveryCodes()
  const token = await inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    if (!(await confirmRow(db, { id: by.userId, pending, step, now })))
      throw new ServiceError('conflict', 'No one-time codes are being set up.')
    const hmacs = recoveryCodes.map((code) => recoveryHmac(service, code))
    await putRecoveryCodes(db, { userId: by.userId, hmacs })
    await revokeSessions(db, { userId: by.userId, id: null, butId: by.sessionId, now })
    await recordUserChange(db, service, by, { action: 'user.two_factor_on' })
    return rotateToken(db, service, by.sessionId)
  })
  return { recoveryCodes, token }
}

/** Returns a new token for this session. */
export async function stopTwoFactor(
  service: Service,
  by: SignedIn,
  input: { readonly password: string },
): Promise<string> {
  await confirmPassword(service, by, input.password)
  return inTransaction(service.pool, async (db) => {
    await removeTotp(db, { id: by.userId, now: realNow(service) })
    await recordUserChange(db, service, by, { action: 'user.two_factor_off' })
    return rotateToken(db, service, by.sessionId)
  })
}
