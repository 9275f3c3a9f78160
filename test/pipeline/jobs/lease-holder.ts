// A worker in a separate process, to be killed or frozen: it takes leases in the database whose URL it is given, reports
// this, and holds one of them inside a transaction. On a message, it tries to end what it began, and reports the result.

import { inTransaction, openPool } from '../../../src/db/database.ts'
import { keepWorkerRegistered } from '../../../src/pipeline/jobs/hold-leases.ts'
import { holderNumber, leaseToken, newHolder } from '../../../src/pipeline/jobs/holder.ts'
import { completeMail, leaseMails } from '../../../src/pipeline/notifications/mails-sql.ts'
import { leaseFeed } from '../../../src/pipeline/positions/feed-leases-sql.ts'
import { realClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { createOperatorIssues } from '../../../src/platform/operator-issues.ts'

const holder = newHolder(`landfall test ${process.pid}`)
const pool = openPool({ connection: process.argv[2] ?? '', connectionsMax: 4, name: holder.sessions })
pool.on('error', () => {})
const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
const log = createLog({ level: 'silent' })
const service = {
  pool,
  config: readConfig({}),
  clock: realClock,
  journeyClock: () => ({ ...realClock, pace: () => 1 }),
  egress,
  carrierEgress: () => egress,
  log,
  metrics: createMetrics(log),
  operatorIssues: createOperatorIssues({ log, installation: { database: 'server', dataFolder: '' } }),
  encryption: createEncryption('a secret for tests that is long enough'),
  holder,
}
await keepWorkerRegistered(service)
const now = new Date().toISOString()
const until = new Date(Date.now() + 600_000).toISOString()
const token = leaseToken(service)
await leaseFeed(pool, { name: 'a feed', token, now, until })
const mails = await leaseMails(pool, { token, now, until, limit: 10 })
const requested = Promise.withResolvers<void>()
process.once('message', () => requested.resolve())
const ending = inTransaction(pool, async (db) => {
  const done = await completeMail(db, { id: mails[0]?.id ?? '', token })
  process.send?.({ number: holderNumber(service), mails: mails.length })
  await requested.promise
  // Nothing would end here if the transaction could still be committed.
  return done
})
const wasCommitted = await ending.catch(() => false)
const second = await completeMail(pool, { id: mails[1]?.id ?? '', token }).catch(() =>
  // The pool's connections were ended; the next one is new.
  completeMail(pool, { id: mails[1]?.id ?? '', token }),
)
process.send?.({ wasCommitted, second })
