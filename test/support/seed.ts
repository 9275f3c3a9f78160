/**
 * A shipment to ask the API about: a carrier on loopback answers with the journey of two boxes in DCSA, and the
 * pipeline reads it. There are two looks. In the second, the arrival at Los Angeles is corrected and everything else
 * has happened.
 */

import assert from 'node:assert/strict'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import type { TestApi } from './api.ts'
import { type Carrier, openCarrier } from './carrier.ts'
import { giveAccess } from './service.ts'

export interface Seeded {
  readonly carrier: Carrier
  readonly bill: string
  readonly trackingRequestId: string
  readonly shipmentId: string
  /** In order of number. */
  readonly containerIds: readonly string[]
  readonly numbers: readonly string[]
}

/** When a seeded test begins: the vessel is under way. */
export const seededAt = '2026-03-10T00:00:00Z'

/** The journey, for the account of `key`, or for the test's own. */
export async function seedShipment(
  api: TestApi,
  options: {
    readonly bill?: string
    readonly key?: string
    readonly carrier?: Carrier
    /** Further attributes of the request. */
    readonly attributes?: object
    readonly relationships?: object
    /** Called after the request is made and before it is looked at. */
    readonly meanwhile?: () => Promise<unknown>
  } = {},
): Promise<Seeded> {
  const bill = options.bill ?? 'CNSH12345678'
  const key = options.key ?? api.key
  const carrier = options.carrier ?? (await openCarrier())
  const numbers = ['MSCU4000005', 'MSCU4000010']
  carrier.answers({ json: journey(numbers, 'first') }, bill)
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  const created = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    key,
    body: {
      data: {
        type: 'tracking_request',
        attributes: {
          request_type: 'bill_of_lading',
          request_number: bill,
          scac: 'ONEY',
          ref_numbers: ['PO-77'],
          ...options.attributes,
        },
        ...(options.relationships === undefined ? {} : { relationships: options.relationships }),
      },
    },
  })
  const trackingRequestId = created.one().id
  await options.meanwhile?.()
  await api.drain()
  carrier.answers({ json: journey(numbers, 'second') }, bill)
  await api.pass(26)
  const request = await api.call({ url: `/v2/tracking_requests/${trackingRequestId}`, key })
  const tracked = request.one().relationships?.['tracked_object']?.data as { readonly id: string } | null
  assert.ok(tracked, request.text)
  const shipment = await api.call({ url: `/v2/shipments/${tracked.id}`, key })
  const containers = shipment.one().relationships?.['containers']?.data as readonly { readonly id: string }[]
  return {
    carrier,
    bill,
    trackingRequestId,
    shipmentId: tracked.id,
    containerIds: containers.map(({ id }) => id),
    numbers,
  }
}

type Stage = 'first' | 'second'

/** What the line says about these boxes, in DCSA. */
export function journey(numbers: readonly string[], stage: Stage): readonly unknown[] {
  const sea = {
    mode: 'VESSEL',
    vessel: { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' },
    voyage: '601E',
  }
  const shanghai = { call: 'A', unlocode: 'CNSHA', facility: null, sequence: 1 }
  const busan = { call: 'B', unlocode: 'KRPUS', facility: null, sequence: 2 }
  const losAngeles = { call: 'C', unlocode: 'USLAX', facility: 'APMT', sequence: 3 }
  const second = stage === 'second'
  const events: unknown[] = [
    transport('DEPA', 'ACT', '2026-01-05T22:00:00+08:00', { ...shanghai, ...sea }),
    transport('ARRI', 'ACT', '2026-01-08T06:00:00+09:00', { ...busan, ...sea }),
    transport('DEPA', 'ACT', '2026-01-12T06:00:00+09:00', { ...busan, ...sea }),
    transport('ARRI', 'EST', '2026-02-01T08:00:00-08:00', { ...losAngeles, ...sea }),
    transport('ARRI', 'ACT', second ? '2026-02-01T11:30:00-08:00' : '2026-02-01T10:00:00-08:00', {
      ...losAngeles,
      ...sea,
    }),
  ]
  for (const number of numbers) {
    const land = { mode: 'TRUCK', vessel: null, voyage: null }
    events.push(
      equipment('GTOT', 'EMPTY', '2026-01-02T09:00:00+08:00', { ...shanghai, ...land, number }),
      equipment('GTIN', 'LADEN', '2026-01-03T15:00:00+08:00', { ...shanghai, ...land, number }),
      equipment('LOAD', 'LADEN', '2026-01-05T04:00:00+08:00', { ...shanghai, ...sea, number }),
      equipment('DISC', 'LADEN', '2026-01-09T03:00:00+09:00', { ...busan, ...sea, number }),
      equipment('LOAD', 'LADEN', '2026-01-11T03:00:00+09:00', { ...busan, ...sea, number }),
      equipment('DISC', 'LADEN', '2026-02-02T13:00:00-08:00', { ...losAngeles, ...sea, number }),
    )
    if (second) events.push(equipment('GTOT', 'LADEN', '2026-02-06T10:00:00-08:00', { ...losAngeles, ...land, number }))
  }
  return events
}

export interface At {
  readonly call: string
  readonly unlocode: string
  readonly facility: string | null
  readonly sequence: number
  readonly mode: string
  readonly vessel: object | null
  readonly voyage: string | null
}

export function transport(code: string, classifier: string, time: string, at: At): unknown {
  return {
    ...common(`T-${code}-${classifier}-${at.call}`, time, at),
    eventType: 'TRANSPORT',
    eventClassifierCode: classifier,
    transportEventTypeCode: code,
  }
}

export function equipment(code: string, load: string, time: string, at: At & { readonly number: string }): unknown {
  return {
    ...common(`E-${code}-${load}-${at.call}-${at.number}`, time, at),
    eventType: 'EQUIPMENT',
    eventClassifierCode: 'ACT',
    equipmentEventTypeCode: code,
    equipmentReference: at.number,
    ISOEquipmentCode: '45G1',
    emptyIndicatorCode: load,
  }
}

function common(id: string, time: string, at: At): Readonly<Record<string, unknown>> {
  const facility = at.facility === null ? {} : { facilityCode: at.facility, facilityCodeListProvider: 'SMDG' }
  return {
    eventID: uuidV5(LANDFALL_NAMESPACE, `seed:${id}`),
    eventCreatedDateTime: time,
    eventDateTime: time,
    transportCall: {
      transportCallID: at.call,
      transportCallSequenceNumber: at.sequence,
      UNLocationCode: at.unlocode,
      facilityTypeCode: 'POTE',
      modeOfTransport: at.mode,
      ...facility,
      ...(at.vessel === null ? {} : { vessel: at.vessel }),
      ...(at.voyage === null ? {} : { exportVoyageNumber: at.voyage, importVoyageNumber: at.voyage }),
    },
  }
}

/**
 * Adds statements about boxes at the port of discharge, as if terminal and line had made them. Returns the ids by
 * number.
 */
export async function discharged(
  { service }: TestApi,
  boxes: Readonly<
    Record<
      string,
      {
        readonly line?: string
        readonly terminal?: string
        readonly isAvailable?: boolean
        readonly hold?: string
      }
    >
  >,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const [number, { line, terminal, isAvailable, hold }] of Object.entries(boxes)) {
    const day = (on: string | undefined) => (on === undefined ? null : { kind: 'day', on })
    const said = {
      freeTime: { line: day(line), terminal: day(terminal), rail: null },
      available: isAvailable ?? null,
      holds: hold === undefined ? [] : [{ name: hold, status: 'hold', description: null }],
    }
    const { rows } = await service.pool.query<{ id: string }>({
      text: 'update containers set projection = projection || $2::jsonb where number = $1 returning id',
      values: [number, JSON.stringify(said)],
    })
    ids.set(number, rows[0]?.id ?? '')
  }
  return ids
}
