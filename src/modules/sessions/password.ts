/** Passwords: the rules for them, and the argon2id hash that is stored (19 MiB, two passes, as OWASP recommends). */

import { refusedAt } from '../errors.ts'

export const passwordLengthMin = 10
const lengthMax = 256

/**
 * The hash of no password. It is verified when there is no such person, so that the answer takes as long as for an
 * existing one.
 */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/**
 * Refuses a password that is too short, too long or too simple, or that contains the person's address. `field`: the
 * form field of the password.
 */
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

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2')
  return hash(password.normalize('NFKC'))
}

/** `storedHash`: null when there is no such person; the answer is then false, after the same work. */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  if (password.length > lengthMax) return isPassword('', storedHash).then(() => false)
  const { verify } = await import('@node-rs/argon2')
  const isRight = await verify(storedHash ?? nobodysHash, password.normalize('NFKC'))
  return isRight && storedHash !== null
}
