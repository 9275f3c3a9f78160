/** The other installation of the v2 API that numbers are moved from, and how both are read. */

import { connect, type Landfall } from '../../../sdk/typescript/src/landfall.ts'
import type { ShipmentResource } from '../../domain/attributes/compare-shipments.ts'
import { type Shell, UsageError } from '../framework/command.ts'

export const fromOption = {
  type: 'string',
  value: '<url>',
  about: 'the other installation: https://api.example.com',
  isRequired: true,
} as const
export const aboutOther =
  'Reads LANDFALL_OTHER_API_KEY, the key of the other installation. Landfall only reads there and changes nothing.'

/**
 * Throws a usage error when there is no key, or the address is none, and an error that names the other installation when
 * it does not answer as the v2 API does.
 */
export async function connectToOther({ env }: Shell, from: string): Promise<Landfall> {
  const key = env['LANDFALL_OTHER_API_KEY']?.trim() ?? ''
  if (key === '')
    throw new UsageError('LANDFALL_OTHER_API_KEY is not set. Set it to an API key of the other installation.')
  if (!/^https?:\/\//.test(from) || !URL.canParse(from))
    throw new UsageError(`${from} is not a URL with http or https.`)
  // Its addresses in an answer begin with the version, and so does every path of the SDK.
  const other = connect({ url: from.replace(/\/v2\/?$/, '').replace(/\/$/, ''), key })
  try {
    await other.listTrackingRequests({ page: { size: 1 } }).page()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The other installation, ${from}, cannot be read: ${why}`)
  }
  return other
}

export interface OtherRequest {
  readonly number: string
  readonly type: 'bill_of_lading' | 'booking_number' | 'container'
  readonly scac: string | null
  readonly status: string
  readonly refNumbers: readonly string[]
  readonly tags: readonly string[]
}

/** Each number that the installation tracks, once: a number may have been requested again after it failed. */
export async function readRequests(
  installation: Landfall,
  progress: (count: number) => void,
): Promise<readonly OtherRequest[]> {
  const found = new Map<string, OtherRequest>()
  for await (const each of installation.listTrackingRequests({ page: { size: 100 } })) {
    const { request_number: number, request_type: type, scac, status } = each
    const request = {
      number,
      type,
      scac: scac ?? null,
      status,
      refNumbers: each.ref_numbers ?? [],
      tags: each.shipment_tags ?? [],
    }
    const key = keyOfRequest(request)
    // The newest comes first. An older one counts only where the newer one failed.
    if ((found.get(key)?.status ?? 'failed') === 'failed') found.set(key, request)
    progress(found.size)
  }
  return [...found.values()]
}

export function keyOfRequest({ number, type, scac }: Pick<OtherRequest, 'number' | 'type' | 'scac'>): string {
  return `${scac ?? '?'} ${type} ${number.trim().toUpperCase()}`
}

/** A shipment as the API shows it, with its containers and their events. */
export async function readShipment(
  installation: Landfall,
  shipment: {
    readonly id: string
    readonly bill_of_lading_number: string | null
    readonly containers: readonly { readonly id: string; readonly number: string }[]
  },
): Promise<ShipmentResource> {
  const containers = []
  for (const container of shipment.containers) {
    const events = await installation.listTransportEvents(container.id, { page: { size: 100 } }).all()
    containers.push({
      number: container.number,
      attributes: { ...container },
      events: events.map((event) => ({ ...event })),
    })
  }
  return { number: shipment.bill_of_lading_number ?? '', attributes: { ...shipment }, containers }
}
