/** The client of commands that call a server: with the key of the caller, at the address that is set or given. */

import { connect, type Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { type Shell, UsageError } from '../framework/command.ts'

export const urlDefault = 'http://127.0.0.1:3000'
export const urlOption = { type: 'string', value: '<url>', about: 'address of the server' } as const
export const jsonOption = { type: 'boolean', about: 'print JSON, one line for each item' } as const
export const aboutServer = `Reads LANDFALL_API_KEY, and LANDFALL_API_URL for the address of the server (${urlDefault} when it is not set).`

/** Throws a usage error when there is no key, or the address is none. */
export function readServerAccess({ env }: Shell, url: string | null): { readonly base: string; readonly key: string } {
  const key = env['LANDFALL_API_KEY']?.trim() ?? ''
  if (key === '') throw new UsageError('LANDFALL_API_KEY is not set. Set it to an API key of the server.')
  const base = url ?? env['LANDFALL_API_URL'] ?? urlDefault
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw new UsageError(`${base} is not a URL with http or https.`)
  return { base, key }
}

export function clientOf(shell: Shell, url: string | null): Landfall {
  const { base, key } = readServerAccess(shell, url)
  return connect({ url: base, key })
}

export const countOption = { type: 'string', value: '<count>', about: 'end after this number of events' } as const

/** Without end when it was left out. */
export function parseEventCount(given: string | null): number {
  if (given === null) return Number.POSITIVE_INFINITY
  const count = Number(given)
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError(`${given} is not a number of events.`)
  return count
}
