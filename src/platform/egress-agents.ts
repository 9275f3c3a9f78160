// Kept connections, apart by tenant: an answer left on a connection by one account's receiver must never be read as the
// answer to another's, and a connection proves nothing about whose credentials opened it.
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'

export type ClientCertificate = { readonly certificate: string; readonly privateKey: string }

/** Whether both are PEM and belong together. */
export function isUsable({ certificate, privateKey }: ClientCertificate): boolean {
  try {
    createSecureContext({ cert: certificate, key: privateKey })
    return true
  } catch {
    // What is wrong with them may quote them.
    return false
  }
}

export type Agents = {
  readonly find: (wanted: {
    readonly tenant: string | null
    readonly isSecure: boolean
    readonly client?: ClientCertificate | null
  }) => HttpAgent
  readonly close: () => void
}

const tenantsMax = 256
const idleMs = 15_000

export function openAgents(ca: string | undefined): Agents {
  const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) }
  const once = {
    http: new HttpAgent({ keepAlive: false }),
    https: new HttpsAgent({ keepAlive: false, ...tls, maxCachedSessions: 0 }),
  }
  const kept = new Map<string, { readonly http: HttpAgent; readonly https: HttpsAgent }>()

  return {
    find({ tenant, isSecure, client = null }) {
      if (client !== null && isSecure) {
        const { certificate: cert, privateKey: key } = client
        return new HttpsAgent({ keepAlive: false, ...tls, cert, key, maxCachedSessions: 0 })
      }
      const pair = tenant === null ? once : findKept(tenant)
      return isSecure ? pair.https : pair.http
    },
    close() {
      for (const { http, https } of kept.values()) {
        http.destroy()
        https.destroy()
      }
      kept.clear()
    },
  }

  // A Map keeps its order: the tenant unused for longest is first and makes room. Its requests under way go on.
  function findKept(tenant: string) {
    const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: 4 }
    const pair = kept.get(tenant) ?? {
      http: new HttpAgent(options),
      https: new HttpsAgent({ ...options, ...tls }),
    }
    kept.delete(tenant)
    kept.set(tenant, pair)
    const [oldest] = kept.keys()
    if (kept.size > tenantsMax && oldest !== undefined) kept.delete(oldest)
    return pair
  }
}
