/** Where an app has its person sent with the code, in the parts that a person can judge: scheme, host and path. */

const loopback = ['localhost', '127.0.0.1', '[::1]']
const pathMax = 120

/**
 * `web`: a site with a host name. `loopback`: a program on the person's own machine. `private`: any program that has
 * registered the scheme on that machine; the maker of the program chose the part in the place of the host.
 */
export interface RedirectTarget {
  readonly kind: 'web' | 'loopback' | 'private'
  /** With its colon, and with slashes if it has them. */
  readonly scheme: string
  /** Empty when there is none. */
  readonly host: string
  readonly path: string
}

/**
 * `uri` is a registered one, so it can be parsed. Query and fragment do not show where it leads, so they are omitted.
 */
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
