// The only place where names become addresses. Every address of a name is judged at the moment when a connection is
// made. A name that is public when it is checked and private when it is used therefore reaches nothing.
import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { AddressRules } from './addresses.ts'

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 }

export const failureReasons = ['timeout', 'connect', 'dns', 'tls', 'reset', 'protocol', 'encoding'] as const
export type FailureReason = (typeof failureReasons)[number]

/** Its message is a sentence that may be shown to the public. */
export class AddressRefusedError extends Error {}
class LookupFailure extends Error {}

/** Called when a connection is made, for names only. Address literals never come here: they are judged before. */
export function guardLookup(
  rules: AddressRules,
  resolve: (host: string) => Promise<readonly ResolvedAddress[]>,
): LookupFunction {
  return (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined) return done(new LookupFailure('the name has no address'), [])
        if (addresses.some(({ address }) => rules.findRefusal(address) !== null)) {
          return done(new AddressRefusedError('The host of the URL is not at a public address.'), [])
        }
        return all === true ? done(null, [...addresses]) : done(null, first.address, first.family)
      },
      (error: unknown) => done(new LookupFailure(codeOf(error) ?? 'the name cannot be looked up'), []),
    )
  }
}

export async function resolveBySystem(host: string): Promise<readonly ResolvedAddress[]> {
  const found = await systemLookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** The message gives the error's code, and no host, path or header. */
export function classifyFailure(
  error: unknown,
  phase: 'connect' | 'answer',
): { readonly reason: FailureReason; readonly message: string } {
  if (error instanceof LookupFailure) return { reason: 'dns', message: error.message }
  const code = codeOf(error) ?? 'unknown'
  if (code.startsWith('HPE_')) return { reason: 'protocol', message: code }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EINVAL|EHOSTDOWN)$/.test(code)) {
    return { reason: 'connect', message: code }
  }
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA)/.test(code)) {
    return { reason: 'tls', message: code }
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    return { reason: 'reset', message: phase === 'connect' ? `${code} while connecting` : code }
  }
  return { reason: phase === 'connect' ? 'connect' : 'protocol', message: code }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
