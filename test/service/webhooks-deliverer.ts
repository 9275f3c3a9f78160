// A worker of its own process, to be killed: delivers what is due in the database whose URL it is given, at the
// time that it is given.

import { manualClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { createEgress } from '../../src/platform/egress.ts'
import { createLog } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { createTroubles } from '../../src/platform/troubles.ts'
import { newHolder } from '../../src/service/ground/holder.ts'
import { deliverDue } from '../../src/service/telling/webhooks/deliver.ts'
import { openVault } from '../../src/service/vault.ts'
import { openPool } from '../../src/store/database.ts'
import { renderPlain } from './webhooks-harness.ts'

const clock = manualClock(Number(process.argv[3]))
const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
const log = createLog({ level: 'silent' })
await deliverDue(
  {
    pool: openPool({ connection: process.argv[2] ?? '', connectionsMax: 4 }),
    config: readConfig({}),
    clock,
    journeyClock: () => ({ ...clock, pace: () => 1 }),
    egress,
    carrierEgress: () => egress,
    log,
    metrics: createMetrics(log),
    troubles: createTroubles({ log, installation: { database: 'server', dataFolder: '' } }),
    vault: openVault(process.argv[4] ?? ''),
    holder: newHolder(),
  },
  { render: renderPlain },
)
