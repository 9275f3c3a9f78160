/** An origin as a browser writes it in `Origin`: scheme, host, and the port where it is not the usual one. */

/** Null for a text that is no origin, for instance one with a path or a `*`. */
export function parseOrigin(given: string): string | null {
  const text = given.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && !text.includes('*')
  return isOrigin && text.replace(/\/$/, '').toLowerCase() === url.origin ? url.origin : null
}
