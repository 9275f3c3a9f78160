/** E-mail addresses: how they are written, and when two of them are the same. */

import { refusedAt } from '../errors.ts'

export interface EmailAddress {
  readonly email: string
  /** In lower case: nobody has two mailboxes that differ only in case. */
  readonly emailKey: string
}

const lengthMax = 254

/** Refuses a text that cannot be an address. Only a mail can show whether somebody reads it there. */
export function parseEmail(given: string): EmailAddress {
  const email = given.trim().normalize('NFC')
  const isOne =
    email.length <= lengthMax &&
    /^[^\s@<>",;:\\()[\]\p{Cc}]+@[^\s@<>",;:\\()[\]\p{Cc}.]+(\.[^\s@<>",;:\\()[\]\p{Cc}.]+)*$/u.test(email)
  if (isOne) return { email, emailKey: email.toLowerCase() }
  throw refusedAt('/email', 'This is no e-mail address. One looks like name@example.com.')
}

export function parseName(given: string): string {
  const name = given.trim().normalize('NFC')
  if (name !== '' && name.length <= 100 && !/\p{Cc}/u.test(name)) return name
  throw refusedAt('/name', 'A name has 1 to 100 characters.')
}
