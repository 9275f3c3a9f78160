/**
 * A service over a database of its own, with clocks moved by hand and carriers on loopback, for tests of the pipeline.
 */

import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../../src/db/database.ts'
import type { Context } from '../../src/modules/access/context.ts'
import { insertAccount, putCredential } from '../../src/modules/accounts/accounts-sql.ts'
import { getConnectionShares } from '../../src/modules/derived-settings.ts'
import { openReplicasOf } from '../../src/modules/installation/open-replicas.ts'
import { loadShippedReference } from '../../src/modules/reference-data/load-shipped.ts'
import type { Service } from '../../src/modules/service.ts'
import type { RenderNotification } from '../../src/pipeline/delivery/payloads.ts'
import { newHolder } from '../../src/pipeline/jobs/holder.ts'
import { type ManualClock, manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { createEncryption } from '../../src/platform/encryption.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { createOperatorIssues } from '../../src/platform/operator-issues.ts'
import { drainWorkers } from '../../src/server/workers.ts'
import { type Filling, openTestDatabase, type TestDatabase } from './database.ts'
import { withoutLimits } from './without-limits.ts'

export interface TestService {
  readonly service: Service
  readonly clock: ManualClock
  readonly databaseUrl: string
  /** Everything that was logged so far, one object a line. */
  readonly logged: () => readonly Readonly<Record<string, unknown>>[]
  /** Does all work that is due now. */
  readonly drain: () => Promise<void>
  /**
   * Moves the clock forward, an hour at a time and over more than three days six hours at a time, and does the work that
   * becomes due, as the workers of a running service would. What is only tidied up is done once a day and at the end.
   */
  readonly pass: (hours: number) => Promise<void>
  readonly newAccount: (options?: { readonly isSandbox?: boolean }) => Promise<Context>
  readonly close: () => Promise<void>
}

const hourMs = 3_600_000

/** The key that seals the values of every test service. Commands on its database get it as LANDFALL_SECRET. */
export const testSecret = 'a secret for tests that is long enough'

/** The clock starts at `startAt` (ISO), for real and fiction alike. `on`: uses an installation that exists already. */
export async function openTestService(
  options: {
    readonly startAt?: string
    readonly env?: Readonly<Record<string, string>>
    /** Uses a database role that may only read and write rows. */
    readonly isServing?: boolean
    readonly on?: {
      readonly database: Pick<TestDatabase, 'url' | 'close'> & Partial<Pick<TestDatabase, 'pool'>>
      readonly secret: string
    }
    /** The shipped reference data are in the database. */
    readonly hasReference?: boolean
    /** What deliveries say; only the name of their event when left out. */
    readonly render?: (service: Service) => RenderNotification
  } = {},
): Promise<TestService> {
  const { isServing = false, hasReference = false } = options
  const database =
    options.on?.database ?? (await openTestDatabase({ isServing, ...(hasReference ? { filling: reference } : {}) }))
  const filesFolder = join(tmpdir(), `landfall-files-${randomUUID()}`)
  const config = readConfig({
    LANDFALL_SANDBOX: 'on',
    LANDFALL_POOL_MAX: '8',
    LANDFALL_FILES_FOLDER: filesFolder,
    // Roots are events of the account too; only tests about them want any.
    LANDFALL_LEDGER_ROOT_HOURS: '0',
    ...withoutLimits,
    ...options.env,
  })
  const pool = openPool({
    connection: database.url,
    connectionsMax: config.data.poolMax,
    fairness: getConnectionShares(config),
  })
  const clock = manualClock(Date.parse(options.startAt ?? '2026-01-01T00:00:00Z'))
  const lines: string[] = []
  const logged: Record<string, unknown>[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, connectTimeoutMs: 2_000 })
  const service: Service = {
    pool,
    config,
    clock,
    journeyClock: () => ({ ...clock, pace: () => 1 }),
    egress,
    carrierEgress: () => egress,
    log,
    metrics: createMetrics(log),
    operatorIssues: createOperatorIssues({ log, installation: { database: 'server', dataFolder: '' } }),
    encryption: createEncryption(options.on?.secret ?? testSecret),
    holder: newHolder(),
  }
  const replicas = await openReplicasOf(service)
  const render: RenderNotification =
    options.render?.(service) ?? (async ({ id, event }) => Buffer.from(JSON.stringify({ data: { id, event } })))
  const drain = (only?: 'queues'): Promise<void> =>
    drainWorkers(service, { render, ...(only === undefined ? {} : { only }) })
  return {
    service,
    clock,
    databaseUrl: database.url,
    logged: () => {
      // Tests ask again and again: each line is parsed once.
      for (const line of lines.slice(logged.length)) logged.push(JSON.parse(line) as Record<string, unknown>)
      return [...logged]
    },
    drain: () => drain(),
    pass: async (hours) => {
      const step = hours > 72 ? 6 : 1
      for (let passed = 0; passed < hours; ) {
        const next = Math.min(step, hours - passed)
        clock.advance(next * hourMs)
        passed += next
        await drain(passed % 24 === 0 || passed === hours ? undefined : 'queues')
      }
    },
    newAccount: async ({ isSandbox = false } = {}) => {
      const account = { id: uuidV7(clock.now()), companyName: 'Example Imports', isSandbox }
      await insertAccount(pool, { ...account, createdAt: new Date(clock.now()).toISOString() })
      return { account, actor: { kind: 'system' }, scopes: ['read', 'write'], requestId: 'test' }
    },
    close: async () => {
      egress.close()
      await replicas?.close()
      await pool.end()
      await database.close()
      rmSync(filesFolder, { recursive: true, force: true })
    },
  }
}

const reference: Filling = {
  name: 'reference',
  fill: async (url) => {
    const test = await openTestService({
      on: { database: { url, close: async () => {} }, secret: testSecret },
    })
    await loadShippedReference(test.service)
    await test.close()
  },
}

/** Lets the service ask a line at `url`, with a credential of the operator for all accounts. */
export async function giveAccess(
  { service, clock }: TestService,
  access: {
    readonly scac: string
    readonly profile: Readonly<Record<string, unknown>>
    readonly isSandbox?: boolean
    readonly source?: string
  },
): Promise<void> {
  await putCredential(service.pool, {
    id: uuidV7(clock.now()),
    accountId: null,
    scac: access.scac,
    source: access.source ?? 'dcsa',
    profile: access.profile,
    encryptedSecret: null,
    isSandbox: access.isSandbox ?? false,
    createdAt: new Date(clock.now()).toISOString(),
  })
}
