// Reused connections, separate for each tenant. Bytes that one account's receiver left on a connection must never be
// read as an answer to another account, and a connection does not prove whose credentials opened it.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'

export type ClientCertificate = { readonly certificate: string; readonly privateKey: string }

/** Whether both are PEM and the key belongs to the certificate. */
export function isUsableCertificate({ certificate, privateKey }: ClientCertificate): boolean {
  try {
    createSecureContext({ cert: certificate, key: privateKey })
    return true
  } catch {
    // The error is dropped, because its message may quote the certificate or the key.
    return false
  }
}

export type HttpAgentPool = {
  readonly find: (wanted: {
    readonly tenant: string | null
    readonly isSecure: boolean
    readonly client?: ClientCertificate | null
  }) => HttpAgent
  readonly close: () => void
}

const tenantsMax = 256
const idleMs = 15_000

export function openAgents(ca: string | undefined): HttpAgentPool {
  const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) }
  const once = {
    http: new HttpAgent({ keepAlive: false }),
    https: new HttpsAgent({ keepAlive: false, ...tls, maxCachedSessions: 0 }),
  }
  const agentsByTenant = new Map<string, { readonly http: HttpAgent; readonly https: HttpsAgent }>()

  return {
    find({ tenant, isSecure, client = null }) {
      if (client !== null && isSecure) {
        const { certificate: cert, privateKey: key } = client
        return new HttpsAgent({ keepAlive: false, ...tls, cert, key, maxCachedSessions: 0 })
      }
      const pair = tenant === null ? once : findTenantAgents(tenant)
      return isSecure ? pair.https : pair.http
    },
    close() {
      for (const { http, https } of agentsByTenant.values()) {
        http.destroy()
        https.destroy()
      }
      agentsByTenant.clear()
    },
  }

  // A Map preserves the order of insertion, so the first tenant is the one that was unused for longest. It is removed
  // when there are too many. Its requests under way continue.
  function findTenantAgents(tenant: string) {
    // As many as deliveries run at a time to one webhook.
    const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: 16 }
    const pair = agentsByTenant.get(tenant) ?? {
      http: new HttpAgent(options),
      https: new HttpsAgent({ ...options, ...tls }),
    }
    agentsByTenant.delete(tenant)
    agentsByTenant.set(tenant, pair)
    const [oldest] = agentsByTenant.keys()
    if (agentsByTenant.size > tenantsMax && oldest !== undefined) agentsByTenant.delete(oldest)
    return pair
  }
}
