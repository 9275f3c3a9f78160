/**
 * Who the app asks for: a signed-in person, whose session token the page was served with, or an API key. The key is
 * stored for this tab only and never shown in full.
 */

import type { Credentials } from './connection.ts'

const name = 'landfall-key'
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

export function readCredentials(): Credentials | null {
  takeKeyFromAddress()
  const key = sessionStorage.getItem(name)
  if (key !== null) return { kind: 'key', key }
  const meta = document.querySelector<HTMLMetaElement>('meta[name="landfall-session"]')
  return meta === null || meta.content === '' ? null : { kind: 'session', token: meta.content }
}

export interface Visitor {
  readonly id: string
  readonly name: string
  readonly company: string
}

/** The signed-in person and the name of the company; null when nobody is signed in. */
export function readVisitor(): Visitor | null {
  const text = (meta: string): string =>
    document.querySelector<HTMLMetaElement>(`meta[name="landfall-${meta}"]`)?.content ?? ''
  const person = text('person')
  return person === '' ? null : { id: text('user'), name: person, company: text('company') }
}

export function keepKey(key: string): void {
  sessionStorage.setItem(name, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(name)
}

/**
 * Takes the key from `#key=…`, which is used for first steps on this machine. The key is always removed from the
 * address at once. It is stored only when the page came from this machine and has no key yet, so that a link cannot
 * bring anybody into another account.
 */
function takeKeyFromAddress(): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const key = fragment.get('key')
  if (key === null) return
  fragment.delete('key')
  const rest = fragment.size > 0 ? `#${fragment}` : ''
  history.replaceState(null, '', location.pathname + location.search + rest)
  if (loopbackHosts.includes(location.hostname) && sessionStorage.getItem(name) === null) keepKey(key)
}
