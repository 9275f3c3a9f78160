/** Which source stated here what another installation shows otherwise: from the provenance of the resource. */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import type { Difference } from '../../domain/attributes/compare-shipments.ts'

interface Provenance {
  readonly [attribute: string]:
    | {
        readonly said: {
          readonly source: { readonly kind: string; readonly code: string }
          readonly read_at: string
        } | null
      }
    | undefined
}
/** Source and time; null where no source stated anything here. */
export type SourcedDifference = Omit<Difference, 'sourceHere'> & { readonly said_here: string | null }
interface LocalShipment {
  readonly id: string
  readonly containers: readonly { readonly id: string; readonly number: string }[]
}

/** Sends one request for each resource that has a difference. */
export async function addSourcesHere(
  here: Landfall,
  shipment: LocalShipment,
  differences: readonly Difference[],
): Promise<readonly SourcedDifference[]> {
  const known = new Map<string, Promise<Provenance>>()
  const provenanceAt = (path: string): Promise<Provenance> => {
    const pending = known.get(path) ?? readProvenance(here, path)
    known.set(path, pending)
    return pending
  }
  const sourced: SourcedDifference[] = []
  for (const difference of differences) {
    const { sourceHere, ...rest } = difference
    const path = pathOf(shipment, difference)
    const explained = path === null ? undefined : (await provenanceAt(path))[difference.what]
    sourced.push({ ...rest, said_here: sourceHere ?? writeSource(explained) })
  }
  return sourced
}

/** Null for what needs no explanation: an event names its source itself, and a container that is missing has none. */
function pathOf({ id, containers }: LocalShipment, { of, number, what }: Difference): string | null {
  if (of === 'transport_event' || what === 'container') return null
  if (of === 'shipment') return `/v2/shipments/${id}`
  const container = containers.find((each) => each.number === number)
  return container === undefined ? null : `/v2/containers/${container.id}`
}

async function readProvenance(here: Landfall, path: string): Promise<Provenance> {
  const response = await here.send({ method: 'GET', path: `${path}?provenance=true` })
  // safe: the API's description guarantees that `meta.provenance` has this shape
  const { data } = (await response.json()) as {
    readonly data: { readonly meta?: { readonly provenance?: Provenance } }
  }
  return data.meta?.provenance ?? {}
}

function writeSource(explained: Provenance[string]): string | null {
  const statement = explained?.said
  return statement == null ? null : `${statement.source.kind} ${statement.source.code}, read ${statement.read_at}`
}
