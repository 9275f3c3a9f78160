/** A service over an open database: its clocks, egress and vault. Each thread of a process has its own. */

import { realClock, type SandboxAnchor, sandboxClock, sandboxNow } from '../../../platform/clock.ts'
import type { Config } from '../../../platform/config.ts'
import { createEgress, type Egress } from '../../../platform/egress.ts'
import { modelOf } from '../../documents/model/model-of.ts'
import { mayReachLoopback, sandboxPlaces } from '../../ground/choices.ts'
import { fileStoreOf } from '../../ground/file-store-of.ts'
import type { JourneyClock, Service } from '../../service.ts'

export interface Opened {
  readonly service: Service
  readonly sandboxEgress: Egress
  /** Closes the egress. */
  readonly close: () => Promise<void>
}

/** `anchor`: null when the sandbox is off, and for a command before the first start. */
export function openService(
  config: Config,
  of: Pick<Service, 'pool' | 'log' | 'metrics' | 'troubles' | 'vault' | 'holder'> & {
    readonly anchor: SandboxAnchor | null
    readonly sandboxIsOn: boolean
  },
): Opened {
  const { anchor, sandboxIsOn, ...given } = of
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
    only: sandboxPlaces(config),
  })
  const service: Service = {
    ...given,
    config,
    clock: realClock,
    journeyClock: journeyClocks(anchor),
    egress,
    carrierEgress: (isFiction) => (isFiction ? sandboxEgress : egress),
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

function journeyClocks(anchor: SandboxAnchor | null): (isFiction: boolean) => JourneyClock {
  const real: JourneyClock = { ...realClock, pace: () => 1 }
  if (anchor === null) return () => real
  const sandbox: JourneyClock = {
    ...sandboxClock(anchor, realClock),
    pace: () => (sandboxNow(anchor, realClock.now()) < realClock.now() ? anchor.speed : 1),
  }
  return (isFiction) => (isFiction ? sandbox : real)
}
