/** One-time codes (TOTP, RFC 6238: SHA-1, six digits, 30 seconds, as every authenticator app has it) and recovery codes. */

import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { consumeRecoveryCode, consumeTotpStep, type User } from '../members/users-sql.ts'
import { realNow, type Service } from '../service.ts'

const periodS = 30
const recoveryCodes = 10
/** Without characters that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** For an authenticator app: `otpauth://…`. */
export function writeTotpLink(secret: string, email: string): string {
  return makeTotp(secret, email).toString()
}

/**
 * The time step of the code: the present one, the one before or the one after. Null when the code fits none of them.
 */
export function findTotpStep(
  service: Service,
  { secret, code }: { readonly secret: string; readonly code: string },
): number | null {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = service.clock.now()
  const delta = makeTotp(secret, '').validate({ token, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodS) + delta
}

/** True when the code is right and was not used before. The code then counts as used. */
export async function useCode(
  service: Service,
  user: Pick<User, 'id' | 'encryptedTotp'>,
  code: string,
): Promise<boolean> {
  if (user.encryptedTotp === null) return false
  const step = findTotpStep(service, { secret: service.encryption.decrypt(user.encryptedTotp), code })
  if (step !== null) return consumeTotpStep(service.pool, { id: user.id, step })
  return consumeRecoveryCode(service.pool, {
    userId: user.id,
    hmac: recoveryHmac(service, code),
    now: realNow(service),
  })
}

export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodes }, () => `${randomLetters(5)}-${randomLetters(5)}`)
}

export function recoveryHmac({ encryption }: Service, code: string): Buffer {
  return encryption.hmac(`recovery ${code.toLowerCase().replace(/[\s-]/g, '')}`)
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

function makeTotp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Landfall',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodS,
  })
}
