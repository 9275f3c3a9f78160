/** A browser in which a person has signed in before proves this by a token that only we can make for that person. */

import type { Service } from '../service.ts'
import { deriveToken, isSameToken, makeToken } from './token.ts'

/**
 * For a cookie that lives longer than the session. It does not sign the person in: attempts from this browser are only
 * counted separately.
 */
export function makeDevice(service: Service, userId: string): string {
  const id = makeToken().slice(0, 16)
  return `${id}.${deriveToken(service, 'device', `${userId} ${id}`)}`
}

/** The device's id; null when it is not one of this person's. */
export function findDevice(
  service: Service,
  { userId, device }: { readonly userId: string; readonly device: string | null },
): string | null {
  const [id = '', proof = ''] = (device ?? '').split('.', 2)
  return id !== '' && isSameToken(proof, deriveToken(service, 'device', `${userId} ${id}`)) ? id : null
}
