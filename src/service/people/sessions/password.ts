/** Passwords: what one must be like, and argon2id for what is kept of it (19 MiB, two passes, as OWASP has it). */

import { hash, verify } from '@node-rs/argon2'
import { refusedAt } from '../../errors.ts'

export const passwordLengthMin = 10
const lengthMax = 256

/** Of no password: what is verified for people who are not there, so that they are answered no sooner. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Refuses what is too short, too long, or the person's own address. `field` is where it was written. */
export function checkPassword(
  password: string,
  { email, field }: { readonly email: string; readonly field: string },
): void {
  const length = [...password].length
  const fault =
    length < passwordLengthMin
      ? `A password has at least ${passwordLengthMin} characters; this one has ${length}.`
      : length > lengthMax
        ? `A password has at most ${lengthMax} characters.`
        : new Set(password).size < 5
          ? 'This password is too easy: it is made of very few characters.'
          : password.toLowerCase().includes(email.toLowerCase())
            ? 'A password must not contain the e-mail address.'
            : null
  if (fault !== null) throw refusedAt(`/${field}`, fault)
}

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'))
}

/** `kept` is null for a person who is not there: false then, after the same work. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  if (password.length > lengthMax) return isPassword('', kept).then(() => false)
  const isRight = await verify(kept ?? nobodysHash, password.normalize('NFKC'))
  return isRight && kept !== null
}
