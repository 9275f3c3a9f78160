/**
 * Where a person goes after signing in: a page of ours and nowhere else, whatever the address says. The one place where
 * an address that a browser brought is turned into one that it is sent to.
 */

const home = '/account'
const lengthMax = 2_000
const here = 'http://here.invalid'

/**
 * Our pages have plain paths: words between single slashes. So no dots that lead upwards, nothing encoded, no backslash,
 * no user and no port is ever looked at, whatever a browser or a proxy would make of it.
 */
const plain = /^\/(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*\/?)?(?:\?[\x21\x24-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/

/** Reads `next`; the account page when it is not a plain path of ours. */
export function safeNext(next: string | null | undefined): string {
  if (typeof next !== 'string' || next.length > lengthMax || !plain.test(next)) return home
  const url = URL.parse(next, here)
  if (url === null || url.origin !== here) return home
  const path = `${url.pathname}${url.search}`
  // What it is after it was put in order must be a path too: two slashes would name a host.
  return plain.test(path) ? path : home
}

/** An address with `next`, left out where it says nothing. */
export function withNext(path: string, next: string): string {
  const safe = safeNext(next)
  return safe === home ? path : `${path}?next=${encodeURIComponent(safe)}`
}
