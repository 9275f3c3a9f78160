/**
 * The people of the installation: an owner with one-time codes, members by invitation, and two people with their own
 * accounts.
 */

import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { TestApi } from '../../test/support/api.ts'
import { connectApp } from '../../test/support/oauth.ts'
import {
  inviteAs,
  openPerson,
  type Person,
  password,
  signIn,
  signUpFirst,
  signUpInvited,
} from '../../test/support/person.ts'
import type { Observed, ObservedPerson } from '../../test/upgrade/observed.ts'

export interface People {
  readonly ada: Person
  readonly seen: readonly ObservedPerson[]
}

const companies = [
  { company: 'Kestrel Imports', name: 'Cleo Strand', email: 'cleo@kestrel.example' },
  { company: 'Avocet Trading', name: 'Dov Pier', email: 'dov@avocet.example' },
] as const

/** The people of the first account, who use its key, and two companies that have signed up by themselves. */
export async function bringPeople(away: TestApi): Promise<People> {
  const seen: ObservedPerson[] = []
  const note = (email: string, { cookies }: Person, totpSecret: string | null = null): void =>
    void seen.push({ email, password, totpSecret, cookies: Object.fromEntries(cookies) })
  const ada = await signUpFirst(away)
  for (const [email, role] of [
    ['ben@example.com', 'member'],
    ['eve@example.com', 'read_only'],
    ['fay@example.com', 'admin'],
  ] as const)
    note(email, await signUpInvited(away, ada, { email, role }))
  // This person was invited and never accepted.
  await inviteAs(ada, { email: 'gil@example.com', role: 'member' })
  for (const { company, name, email } of companies) {
    const person = openPerson(away)
    const answer = await person.send('/sign-up', { name, email, password, key: '', company })
    assert.equal(answer.status, 303, answer.text)
    note(email, person)
  }
  const totpSecret = await setUpCodes(ada)
  note('ada@example.com', ada, totpSecret)
  // A second browser of the same person, with an open session.
  const { person: atHome } = await signIn(away, { email: 'ben@example.com' })
  note('ben@example.com', atHome)
  return { ada, seen }
}

async function setUpCodes(person: Person): Promise<string> {
  const page = { page: '/account' }
  await person.send('/account/two-factor/start', { password }, page)
  const shown = (await person.open('/account')).text
  const secret = /class="secret"><code>([A-Z2-7 ]+)</.exec(shown)?.[1]?.replaceAll(' ', '')
  assert.ok(secret, 'the page shows no secret for one-time codes')
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() })
  const done = await person.send('/account/two-factor/confirm', { code }, page)
  assert.equal(done.status, 200, done.text)
  return secret
}

/** An app that the person gives access to. `resource`: what its tokens are for. */
export async function letAppIn(away: TestApi, person: Person, resource: string): Promise<Observed['apps'][number]> {
  const { clientId, accessToken } = await connectApp(away, person, { ask: { resource } })
  return { clientId, accessToken }
}

/** Causes two mails: an invitation and a new password. No mail server accepts them, so they wait. */
export async function askForMails(away: TestApi, ada: Person): Promise<void> {
  await inviteAs(ada, { email: 'hal@example.com', role: 'admin' })
  await openPerson(away).send('/forgotten-password', { email: 'ben@example.com' })
}
