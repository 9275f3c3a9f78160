/**
 * The addresses of mailboxes: `documents+<token>@<domain>`. The token alone names the mailbox. It has 130 random bits,
 * in letters and digits that survive a change of case.
 */

import { randomBytes } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const tokenLength = 26

export function makeToken(): string {
  return Array.from(randomBytes(tokenLength), (byte) => letters[byte % letters.length]).join('')
}

export function writeAddress(token: string, domain: string): string {
  return `documents+${token}@${domain}`
}

/**
 * Empty when the address cannot be one of ours. The caller still searches for it, so that every address takes the same
 * time.
 */
export function tokenIn(address: string, domain: string): string {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== domain) return ''
  return /^(?:documents\+)?([a-z2-7]{26})$/.exec(address.slice(0, at).toLowerCase())?.[1] ?? ''
}
