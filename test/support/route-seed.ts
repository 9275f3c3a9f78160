/**
 * A box under way from Shanghai over Busan to Los Angeles and by rail to Chicago, as a line reports it, stage by stage.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import type { TestApi } from './api.ts'
import { type Carrier, openCarrier } from './carrier.ts'
import { giveAccess } from './service.ts'

export const firstShip = '9321483'
export const secondShip = '9359052'
const firstBox = 'MSCU4000005'

/** One event of the route. If it has happened by then, the line reports it as an actual, otherwise as planned. */
export interface Told {
  readonly code: 'GTOT' | 'DEPA' | 'ARRI' | 'LOAD' | 'DISC'
  readonly unlocode: string
  readonly at: string
  readonly call: string
  readonly mode: 'VESSEL' | 'RAIL'
  readonly imo: string | null
  readonly load: 'LADEN' | 'EMPTY'
}

const journey: readonly Told[] = [
  { ...told('GTOT', 'CNSHA', '2026-01-03T02:00:00Z', 'A', null), load: 'EMPTY' },
  told('LOAD', 'CNSHA', '2026-01-05T02:00:00Z', 'A', firstShip),
  told('DEPA', 'CNSHA', '2026-01-05T12:00:00Z', 'A', firstShip),
  told('ARRI', 'KRPUS', '2026-01-08T00:00:00Z', 'B', firstShip),
  told('DISC', 'KRPUS', '2026-01-08T06:00:00Z', 'B', firstShip),
  told('LOAD', 'KRPUS', '2026-01-11T06:00:00Z', 'B', secondShip),
  told('DEPA', 'KRPUS', '2026-01-12T00:00:00Z', 'B', secondShip),
  told('ARRI', 'USLAX', '2026-01-24T00:00:00Z', 'C', secondShip),
  told('DISC', 'USLAX', '2026-01-25T00:00:00Z', 'C', secondShip),
  { ...told('DEPA', 'USLAX', '2026-01-28T00:00:00Z', 'C', null), mode: 'RAIL' },
  { ...told('ARRI', 'USCHI', '2026-02-02T00:00:00Z', 'D', null), mode: 'RAIL' },
]

export function told(code: Told['code'], unlocode: string, at: string, call: string, imo: string | null): Told {
  return { code, unlocode, at, call, mode: 'VESSEL', imo, load: 'LADEN' }
}

export interface SeededRoute {
  readonly carrier: Carrier
  readonly containerId: string
}

/** The route as the line reports it now, by the test's clock. `until`: the line says nothing about what comes after. */
export async function seedRoute(
  api: TestApi,
  {
    bill,
    until = '2027-01-01T00:00:00Z',
    key = api.key,
    number = firstBox,
    carrier: given,
    attributes: more = {},
    journey: all = journey,
  }: {
    readonly bill: string
    readonly until?: string
    readonly key?: string
    /** The container number. */
    readonly number?: string
    readonly carrier?: Carrier
    /** Further attributes of the request. */
    readonly attributes?: object
    /** Another route than the one to Chicago. */
    readonly journey?: readonly Told[]
  },
): Promise<SeededRoute> {
  const carrier = given ?? (await openCarrier())
  tellRoute(api, carrier, { bill, until, number, journey: all })
  await giveAccess(api, { scac: 'ONEY', profile: carrier.profile('ONEY') })
  const attributes = { request_type: 'bill_of_lading', request_number: bill, scac: 'ONEY', ...more }
  await api.call({
    key,
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })
  await api.drain()
  const containers = await api.call({ key, url: '/v2/containers' })
  return { carrier, containerId: containers.many()[0]?.id ?? '' }
}

/** From now on the line answers with the route when it is asked for the bill. */
export function tellRoute(
  api: TestApi,
  carrier: Carrier,
  {
    bill,
    until = '2027-01-01T00:00:00Z',
    number = firstBox,
    journey: all = journey,
  }: {
    readonly bill: string
    readonly until?: string
    readonly number?: string
    readonly journey?: readonly Told[]
  },
): void {
  const now = new Date(api.clock.now()).toISOString()
  const told = all.filter(({ at }) => at <= until)
  carrier.answers({ json: told.map((each) => write(each, { now, number })) }, bill)
}

function write(each: Told, { now, number }: { readonly now: string; readonly number: string }): unknown {
  const { code, unlocode, at, call, mode, imo, load } = each
  const isEquipment = code !== 'DEPA' && code !== 'ARRI'
  return {
    eventID: uuidV5(LANDFALL_NAMESPACE, `route-seed:${code}:${call}:${mode}`),
    eventCreatedDateTime: '2026-01-01T00:00:00Z',
    eventType: isEquipment ? 'EQUIPMENT' : 'TRANSPORT',
    eventClassifierCode: at <= now ? 'ACT' : 'EST',
    eventDateTime: at,
    ...(isEquipment
      ? {
          equipmentEventTypeCode: code,
          equipmentReference: number,
          ISOEquipmentCode: '45G1',
          emptyIndicatorCode: load,
        }
      : {
          transportEventTypeCode: code,
          references: [{ referenceType: 'EQ', referenceValue: number }],
        }),
    transportCall: {
      transportCallID: call,
      UNLocationCode: unlocode,
      facilityTypeCode: mode === 'RAIL' && unlocode === 'USCHI' ? 'RAMP' : 'POTE',
      modeOfTransport: mode,
      ...(imo === null
        ? {}
        : { vessel: { vesselIMONumber: imo, vesselName: `Ship ${imo}` }, exportVoyageNumber: '601E' }),
    },
  }
}
