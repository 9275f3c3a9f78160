// A worker of its own process, to be killed or frozen: takes leases in the database whose URL it is given, says so, and
// holds one of them inside a transaction. When it gets a message, it tries to end what it began, and tells how that went.

import { realClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { createTroubles } from '../../src/platform/troubles.ts'
import { holderNumber, leaseToken, newHolder } from '../../src/service/ground/holder.ts'
import { holdLeases } from '../../src/service/running/holding/hold-leases.ts'
import { openVault } from '../../src/service/vault.ts'
import { inTransaction, openPool } from '../../src/store/database.ts'
import { leaseFeed } from '../../src/store/telling/feed-leases.ts'
import { completeMail, takeMails } from '../../src/store/telling/mails.ts'

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
  troubles: createTroubles({ log, installation: { database: 'server', dataFolder: '' } }),
  vault: openVault('a secret for tests that is long enough'),
  holder,
}
await holdLeases(service)
const now = new Date().toISOString()
const until = new Date(Date.now() + 600_000).toISOString()
const token = leaseToken(service)
await leaseFeed(pool, { name: 'a feed', token, now, until })
const mails = await takeMails(pool, { token, now, until, limit: 10 })
const told = Promise.withResolvers<void>()
process.once('message', () => told.resolve())
const ending = inTransaction(pool, async (db) => {
  const done = await completeMail(db, { id: mails[0]?.id ?? '', token })
  process.send?.({ number: holderNumber(service), mails: mails.length })
  await told.promise
  // Nothing would end here if the transaction could still be committed.
  return done
})
const wasCommitted = await ending.catch(() => false)
const second = await completeMail(pool, { id: mails[1]?.id ?? '', token }).catch(() =>
  // The pool's connections were ended; the next one is new.
  completeMail(pool, { id: mails[1]?.id ?? '', token }),
)
process.send?.({ wasCommitted, second })
