/**
 * The fuzz run at the pages that redirect a browser: signing in, and choosing an account. No redirect may leave our
 * origin.
 */

import assert from 'node:assert/strict'
import type { TestApi } from '../../test/support/api.ts'
import { openPerson, type PageAnswer, password, signIn, signUpFirst } from '../../test/support/person.ts'
import { chance as chanceOf } from '../kill/chance.ts'
import { type Chance, hostileText, pick } from './values.ts'

/** The parts from which hostile return addresses are made. */
export const returnTricks: readonly string[] = [
  ['/', '/', '//', '\\', '/.', '/..', './', '../', '/./', '/../', './', '../'],
  ['%2f', '%2F', '%5c', '%2e', '%2E%2e', '%252f', '%09', '%0d%0a', '%00', '%'],
  ['\t', '\n', '\r', ' ', '\u0000', '\u00a0', '\ufeff', '\u200b', '\u2028', '\ud800'],
  ['\uff0f', '\u2215', '\u2044', '\u3002', '\uff0e', '\u2025'],
  ['@', ':', ';', '?', '#', '&', '=', '[', ']', '<', '|', '^', '`', '"'],
  ['http:', 'https:', 'HTTPS://', 'javascript:', 'data:', 'file://', 'blob:'],
  ['evil.example', 'evil.example', 'user:secret', '127.0.0.1', '[::1]', 'localhost', '2130706433'],
  ['account', 'account/apps', 'sign-in', 'next=', 'oauth/consent'],
].flat()

/** The address, when a browser that gets it as `Location` would leave our origin; null when the browser stays. */
export function foreignTarget(location: string): string | null {
  if (!/^\/(?![/\\])/.test(location)) return location
  for (const base of ['http://landfall.example/sign-in', 'https://landfall.example:8443/account/choose']) {
    const url = URL.parse(location, base)
    if (url === null || url.origin !== new URL(base).origin) return location
    // A proxy, or a page that rebuilds the URL, may use the path alone. `//…` would then name another host.
    if (url.pathname.startsWith('//')) return location
  }
  return null
}

export interface RedirectReport {
  readonly requests: number
  readonly faults: readonly string[]
}

/** Signs up the first person of `api`'s account, unless there is one already. */
export async function fuzzRedirects(
  api: TestApi,
  { seed, requestsMax }: { readonly seed: number; readonly requestsMax: number },
): Promise<RedirectReport> {
  const person = await signUpFirst(api, { email: 'fuzz@example.com' })
  const account = api.context.account.id
  const faults: string[] = []
  const note = (door: string, next: string, { status, location, text }: PageAnswer): void => {
    const hidden = /name="next" value="([^"]*)"/.exec(text)?.[1]
    const shown = hidden?.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    const led = [location, shown ?? null].find((each) => each !== null && foreignTarget(each) !== null)
    const isOdd = status !== 303 && status !== 200
    if (isOdd || (led ?? null) !== null)
      faults.push(`${door} with next=${JSON.stringify(next)}: ${status}, leads to ${JSON.stringify(led)}`)
  }
  let requests = 0
  while (requests < requestsMax && faults.length < 20) {
    const chance = chanceOf(seed * 1_000_003 + requests)
    const next = inventReturn(chance)
    const asked = `?next=${next.isWellFormed() ? encodeURIComponent(next) : '%ED%A0%80'}`
    requests += 1
    // Checking a password takes tens of milliseconds, a page only one or two.
    const door = requests % 50 === 0 ? 'POST /sign-in' : pick(chance, doors)
    if (door === 'POST /sign-in') {
      const body = { email: 'fuzz@example.com', password, next: next.toWellFormed() }
      note(door, next, await openPerson(api).send('/sign-in', body))
    } else if (door === 'POST /account/choose')
      note(
        door,
        next,
        await person.send('/account/choose', { account, next: next.toWellFormed() }, { page: '/account' }),
      )
    else {
      const by = door.startsWith('GET /sign-in signed in') ? person : openPerson(api)
      note(door, next, await by.open(`${door.includes('code') ? '/sign-in/code' : '/sign-in'}${asked}`))
    }
  }
  const after = await signIn(api, { email: 'fuzz@example.com' })
  assert.equal(after.answer.location, '/account', 'the person of the run can no longer sign in')
  return { requests, faults }
}

const doors = [
  'GET /sign-in signed in',
  'GET /sign-in signed in',
  'GET /sign-in',
  'GET /sign-in/code',
  'POST /account/choose',
] as const

function inventReturn(chance: Chance): string {
  if (chance() < 0.1) return hostileText(chance)
  const parts = Array.from({ length: 1 + Math.floor(chance() * 7) }, () => pick(chance, returnTricks))
  return (chance() < 0.7 ? '/' : '') + parts.join('')
}
