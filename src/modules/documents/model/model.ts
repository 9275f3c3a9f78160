/** The language model that the operator configured: where it is, how it is queried, and whether it is in cooldown. */

import { speakers } from '../../../connectors/papers/model/model-clients.ts'
import type { Config } from '../../../platform/config.ts'
import { createEgress, type Egress } from '../../../platform/egress.ts'
import { toHostAndPort } from '../../../platform/egress-target.ts'
import { memoizePerOwner } from '../../../platform/memoize-per-owner.ts'
import type { Service } from '../../service.ts'
import type { ModelReason } from '../documents-sql.ts'

export interface Model {
  readonly kind: keyof typeof speakers
  readonly url: string
  readonly name: string
  readonly key: string | null
  readonly timeoutMs: number
  readonly pagesMax: number
  readonly charactersMax: number
  readonly tokensMax: number
  readonly egress: Egress
  /** What this process learned of the server. */
  readonly learned: {
    /** It refuses a schema of the answer. */
    isPlain: boolean
    failuresInRow: number
    /** Milliseconds of the real clock. Until then it is not queried. */
    cooldownUntil: number
    /** Why it is left alone. */
    failedBy: ModelReason
  }
}

/** Null where none is configured. Throws one Error that names what is missing. */
export const modelOf: (service: Pick<Service, 'config'>) => Model | null = memoizePerOwner(({ config }) =>
  openModel(config),
)

function openModel({ model, network }: Config): Model | null {
  const { kind, url, name, key, seconds, pagesMax, charactersMax, tokensMax } = model
  if (url === null) return null
  if (name === null) throw new Error('LANDFALL_MODEL_URL is set: then LANDFALL_MODEL_NAME is needed.')
  const egress = createEgress({
    // The operator named this place, and no other is reached. It may be anywhere.
    allowedNetworks: ['0.0.0.0/0', '::/0'],
    allowLoopback: true,
    only: [toHostAndPort(speakers[kind].urlOf(url))],
    connectTimeoutMs: network.connectTimeoutMs,
  })
  const learned = {
    isPlain: false,
    failuresInRow: 0,
    cooldownUntil: 0,
    failedBy: 'unreachable' as ModelReason,
  }
  return {
    kind,
    url,
    name,
    key,
    timeoutMs: seconds * 1_000,
    pagesMax,
    charactersMax,
    tokensMax,
    egress,
    learned,
  }
}
