// A worker of its own process, to be killed: delivers what is due in the database whose URL it is given, at the
// time that it is given.

import { openPool } from '../../../src/db/database.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { newHolder } from '../../../src/pipeline/jobs/holder.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { createEncryption } from '../../../src/platform/encryption.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { createOperatorIssues } from '../../../src/platform/operator-issues.ts'
import { renderPlain } from '../../support/webhooks-harness.ts'

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
    operatorIssues: createOperatorIssues({ log, installation: { database: 'server', dataFolder: '' } }),
    encryption: createEncryption(process.argv[4] ?? ''),
    holder: newHolder(),
  },
  { render: renderPlain },
)
