// Which URLs a request of ours may have, checked before any name is resolved. Odd input is refused first, because URL
// parsing turns decimal, octal, hexadecimal, short and full-width hosts into addresses and drops tabs and line ends.
import { isIP } from 'node:net'

export type Target =
  | { readonly kind: 'target'; readonly url: URL; readonly host: string; readonly isAddress: boolean }
  | { readonly kind: 'refused'; readonly reason: string }

const urlLengthMax = 4_096

/**
 * The host is a name, or an address in the form used to connect (IPv6 without brackets). Whether an address is allowed
 * is checked later. `only`: the only places (`host:port`) that may be reached; without it there is no such limit.
 */
export function parseTarget(text: unknown, only?: readonly string[]): Target {
  if (typeof text !== 'string') return refuseTarget('The URL is not a text.')
  if (text.length > urlLengthMax) return refuseTarget('The URL is too long.')
  // Spaces, control characters and invisible characters. URL parsing silently drops some of them.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(text)) return refuseTarget('The URL contains a character that is not allowed.')
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) return refuseTarget('The URL is not http or https with a host.')
  if (authority.includes('@')) return refuseTarget('The URL holds a user or a password.')
  if (authority.includes('%')) return refuseTarget('The host of the URL is percent-encoded.')
  if (!URL.canParse(text)) return refuseTarget('The URL cannot be read.')
  const url = new URL(text)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isAddress = isIP(host) !== 0
  // 2130706433, 0177.1, 0x7f.1 and full-width digits become 127.0.0.1. An address is accepted only when it is written
  // in its normal form.
  const isWrittenAsItself = authority.replace(/:\d*$/, '') === host
  if (isIP(host) === 4 && !isWrittenAsItself)
    return refuseTarget('The host of the URL is an address that is not in its normal form.')
  if (host === '' || url.username !== '' || url.password !== '') return refuseTarget('The URL has no plain host.')
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  if (only !== undefined && !only.includes(`${host}:${port}`))
    return refuseTarget('Only addresses of the sandbox are allowed here.')
  return { kind: 'target', url, host, isAddress }
}

/** The place of a URL as `only` names places. */
export function toHostAndPort(text: string): string {
  const { hostname, port, protocol } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return `${host}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
}

function refuseTarget(reason: string): Target {
  return { kind: 'refused', reason }
}
