/** A service over an open database: its clocks, egress and encryption. Each thread of a process has its own. */

import { fileStoreOf } from '../../pipeline/response-archive/file-store.ts'
import { realClock, type SandboxAnchor, sandboxClock, sandboxNow } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { createEgress, type Egress } from '../../platform/egress.ts'
import { mayReachLoopback, sandboxAddresses } from '../derived-settings.ts'
import { modelOf } from '../documents/model/model.ts'
import type { JourneyClock, Service } from '../service.ts'

export interface OpenedService {
  readonly service: Service
  readonly sandboxEgress: Egress
  /** Closes the egress. */
  readonly close: () => Promise<void>
}

/** `anchor`: null when the sandbox is off, and for a command before the first start. */
export function openService(
  config: Config,
  of: Pick<Service, 'pool' | 'log' | 'metrics' | 'operatorIssues' | 'encryption' | 'holder'> & {
    readonly anchor: SandboxAnchor | null
    readonly sandboxIsOn: boolean
  },
): OpenedService {
  const { anchor, sandboxIsOn, ...dependencies } = of
  const { allowedNetworks, connectTimeoutMs } = config.network
  const egress = createEgress({
    allowedNetworks,
    connectTimeoutMs,
    allowLoopback: mayReachLoopback(config, sandboxIsOn),
  })
  const sandboxEgress = createEgress({
    allowedNetworks,
    connectTimeoutMs,
    allowLoopback: true,
    only: sandboxAddresses(config),
  })
  const service: Service = {
    ...dependencies,
    config,
    clock: realClock,
    journeyClock: journeyClocks(anchor),
    egress,
    carrierEgress: (isSandbox) => (isSandbox ? sandboxEgress : egress),
  }
  // A storage or a model that is only half configured must be found out at start.
  fileStoreOf(service)
  modelOf(service)
  return {
    service,
    sandboxEgress,
    close: async () => {
      egress.close()
      sandboxEgress.close()
    },
  }
}

function journeyClocks(anchor: SandboxAnchor | null): (isSandbox: boolean) => JourneyClock {
  const real: JourneyClock = { ...realClock, pace: () => 1 }
  if (anchor === null) return () => real
  const sandbox: JourneyClock = {
    ...sandboxClock(anchor, realClock),
    pace: () => (sandboxNow(anchor, realClock.now()) < realClock.now() ? anchor.speed : 1),
  }
  return (isSandbox) => (isSandbox ? sandbox : real)
}
