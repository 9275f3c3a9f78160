/** What every verb works with. It is made once at start-up and passed on; it is no global variable. */

import type { Pool } from '../db/database.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Egress } from '../platform/egress.ts'
import type { Encryption } from '../platform/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { OperatorIssues } from '../platform/operator-issues.ts'

/** `pace`: how many of its seconds pass in a real one; 1 for the real clock. */
export interface JourneyClock extends Clock {
  readonly pace: () => number
}

/** The holder of the leases of this process. Its memory is shared with the threads that fold. */
export interface LeaseHolder {
  /** One number: that of this process in `workers`. 0 for nobody: a command, or a test. */
  readonly number: Int32Array<SharedArrayBuffer>
  /** The name of its sessions at the database, by which they are ended when it is dead. Empty for nobody. */
  readonly sessions: string
}

export interface Service {
  readonly pool: Pool
  readonly config: Config
  /** The real clock: leases, limits, retries. */
  readonly clock: Clock
  /** The journey clock: the sandbox's for sandbox accounts, the real one else. */
  readonly journeyClock: (isSandbox: boolean) => JourneyClock
  /** For requests to addresses that tenants give, such as webhooks. */
  readonly egress: Egress
  /** For requests to carriers. For sandbox accounts it may reach the sandbox on this machine. */
  readonly carrierEgress: (isSandbox: boolean) => Egress
  readonly log: Log
  readonly metrics: Metrics
  /** What the operator must repair now. `log` adds to it. */
  readonly operatorIssues: OperatorIssues
  readonly encryption: Encryption
  readonly holder: LeaseHolder
}

/** ISO 8601 UTC now, on the clock that the account's journeys run on. */
export function journeyNow(service: Service, isSandbox: boolean): string {
  return new Date(service.journeyClock(isSandbox).now()).toISOString()
}

/** ISO 8601 UTC now, on the real clock. */
export function realNow(service: Service): string {
  return new Date(service.clock.now()).toISOString()
}
