/**
 * Queries name servers for the records of a domain (TXT, A, MX …). Only the machine's own name servers are queried, or
 * those that the operator names, never an address from anybody else; so it does not go through `egress.ts`.
 */

import { Resolver } from 'node:dns/promises'
import { codeOf } from './egress-lookup.ts'
import type { HostAndPort } from './setting.ts'

export type FindRecords = (name: string, type: string) => Promise<unknown[]>

const onceMs = 3_000
const tries = 2
/** No such name, and a name without such records. All other codes state nothing about the name. */
const sureCodes: readonly (string | null)[] = ['ENOTFOUND', 'ENODATA']

/**
 * The function throws an error with the code ENOTFOUND or ENODATA when there is no such record, and with ETIMEOUT for
 * everything that another try may change. With no `servers`, those of the machine are queried.
 */
export function openNameServers(servers: readonly HostAndPort[]): FindRecords {
  const resolver = new Resolver({ timeout: onceMs, tries })
  if (servers.length > 0)
    resolver.setServers(servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`))
  return async (name, type) => {
    try {
      const found: unknown = await resolver.resolve(name, type)
      return Array.isArray(found) ? found : [found]
    } catch (error) {
      if (sureCodes.includes(codeOf(error))) throw error
      throw Object.assign(new Error('no name server has answered', { cause: error }), { code: 'ETIMEOUT' })
    }
  }
}
