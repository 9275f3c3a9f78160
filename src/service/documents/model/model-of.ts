/**
 * The language model that the operator configured: where it is, how it is asked, and whether it is not asked for now.
 */

import type { Config } from '../../../platform/config.ts'
import { createEgress, type Egress } from '../../../platform/egress.ts'
import { placeOf } from '../../../platform/egress-target.ts'
import { speakers } from '../../../sources/documents/model/speakers.ts'
import type { ModelReason } from '../../../store/inbound/documents.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

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
    /** Milliseconds of the real clock. Until then it is not asked. */
    restsUntil: number
    /** Why it is left alone. */
    failedBy: ModelReason
  }
}

/** Null where none is configured. Throws one Error that names what is missing. */
export const modelOf: (service: Pick<Service, 'config'>) => Model | null = keptBeside(({ config }) =>
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
    only: [placeOf(speakers[kind].urlOf(url))],
    connectTimeoutMs: network.connectTimeoutMs,
  })
  const learned = { isPlain: false, failuresInRow: 0, restsUntil: 0, failedBy: 'unreachable' as ModelReason }
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
