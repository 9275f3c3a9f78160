/** Where a person goes after signing in: a page of ours and nowhere else, whatever the address says. */

const home = '/account'

/** Reads `next`; the account page when it is not a plain path. */
export function safeNext(next: string | null | undefined): string {
  if (typeof next !== 'string' || next.length > 2_000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next))
    return home
  const url = new URL(next, 'http://here.invalid')
  return url.origin === 'http://here.invalid' ? `${url.pathname}${url.search}` : home
}

/** An address with `next`, left out where it says nothing. */
export function withNext(path: string, next: string): string {
  return next === home ? path : `${path}?next=${encodeURIComponent(next)}`
}
