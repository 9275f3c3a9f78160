/**
 * Where a person goes after the sign-in: always to a page of ours, for any address. Only here does an address that a
 * browser sent become one to which we redirect.
 */

const home = '/account'
const lengthMax = 2_000
const here = 'http://here.invalid'

/**
 * The paths of our pages are plain: words between single slashes. Therefore nothing else has to be examined: no dots
 * that lead upwards, no encoding, no backslash, no user and no port, which browsers and proxies may read in different
 * ways.
 */
const plain = /^\/(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*\/?)?(?:\?[\x21\x24-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/

/** Reads `next`. Returns the account page when it is not a plain path of ours. */
export function toSafeReturnPath(next: string | null | undefined): string {
  if (typeof next !== 'string' || next.length > lengthMax || !plain.test(next)) return home
  const url = URL.parse(next, here)
  if (url === null || url.origin !== here) return home
  const path = `${url.pathname}${url.search}`
  // The normalized path must be plain too: two slashes at its beginning would name a host.
  return plain.test(path) ? path : home
}

/** An address with `next`. It is omitted when it is the default. */
export function addReturnPath(path: string, next: string): string {
  const safe = toSafeReturnPath(next)
  return safe === home ? path : `${path}?next=${encodeURIComponent(safe)}`
}
