/** Where an app has its person sent with the code, in the parts that a person can judge: scheme, host and path. */

const loopback = ['localhost', '127.0.0.1', '[::1]']
const pathMax = 120

/**
 * `web`: a site, which its host names. `loopback`: a program on the person's own machine. `private`: whichever program has
 * claimed the scheme there; what stands in the place of a host is its maker's choice.
 */
export interface RedirectTarget {
  readonly kind: 'web' | 'loopback' | 'private'
  /** With its colon, and slashes where it has them. */
  readonly scheme: string
  /** Empty where there is none. */
  readonly host: string
  readonly path: string
}

/** `uri`: one that is registered, so it can be read. Query and fragment say nothing of where it is. */
export function readRedirectTarget(uri: string): RedirectTarget {
  const { protocol, hostname, host, pathname, href } = new URL(uri)
  const isWeb = /^https?:$/.test(protocol)
  const kind = !isWeb ? 'private' : loopback.includes(hostname) ? 'loopback' : 'web'
  const scheme = href.startsWith(`${protocol}//`) ? `${protocol}//` : protocol
  const path = pathname.length > pathMax ? `${pathname.slice(0, pathMax)}…` : pathname
  return { kind, scheme, host, path }
}

export function writeRedirectTarget({ scheme, host, path }: RedirectTarget): string {
  return `${scheme}${host}${path}`
}
