// Three shipments with one container each: of `early` everything happened on the first day, of `late` on the second, and of
// `unknown` nothing is known.
import { openTestApi, type TestApi } from '../../support/api.ts'
import { openCarrier } from '../../support/carrier.ts'
import { seedShipment } from '../../support/seed.ts'

export const startAt = '2026-03-25T10:00:00Z'
export const dayOf = ['2026-03-10', '2026-03-20'] as const
export const terminals = ['3b9f4c1e-0000-4000-8000-00000000000a', '3b9f4c1e-0000-4000-8000-00000000000b'] as const

export interface FilterRows {
  readonly api: TestApi
  readonly customerId: string
  readonly shipmentIds: Readonly<Record<RowName, string>>
  readonly containerIds: Readonly<Record<RowName, string>>
  /** The names of the rows that the list has, in alphabetical order. `query` is not encoded. */
  readonly found: (list: 'containers' | 'shipments', query: string) => Promise<string>
  readonly close: () => Promise<void>
}
type RowName = 'early' | 'late' | 'unknown'

export async function openFilterRows(): Promise<FilterRows> {
  const api = await openTestApi({ startAt })
  const carrier = await openCarrier()
  const party = { data: { type: 'party', attributes: { company_name: 'Acme & Sons' } } }
  const customerId = (await api.call({ method: 'POST', url: '/v2/parties', body: party })).one().id
  const ids = { shipments: {} as Record<RowName, string>, containers: {} as Record<RowName, string> }
  for (const [name, which] of [
    ['early', 0],
    ['late', 1],
    ['unknown', null],
  ] as const) {
    const bill = `CNSH${{ early: 1, late: 2, unknown: 3 }[name]}0000000`
    const { shipmentId, containerIds } = await seedShipment(api, { bill, carrier })
    const [id = '', other = ''] = containerIds
    await api.service.pool.query(`delete from containers where id = $1`, [other])
    ids.shipments[name] = shipmentId
    ids.containers[name] = id
    await fill(api, { name, which, id, shipmentId, customerId })
  }
  const found: FilterRows['found'] = async (list, query) => {
    const names = new Map(Object.entries(ids[list]).map(([name, id]) => [id, name]))
    const parameters = query
      .split(/&(?=filter|sort)/)
      .map((each) => `${each.split('=', 1)[0]}=${encodeURIComponent(each.slice(each.indexOf('=') + 1))}`)
    const answer = await api.call({ url: `/v2/${list}?${parameters.join('&')}` })
    return answer
      .many()
      .map(({ id }) => names.get(id) ?? id)
      .sort()
      .join(' ')
  }
  const close = async (): Promise<void> => {
    await carrier.close()
    await api.close()
  }
  return { api, customerId, shipmentIds: ids.shipments, containerIds: ids.containers, found, close }
}

const ends = ['USCHI', 'USDAL'] as const
const moves = [
  'empty_out',
  'full_in',
  'vessel_loaded',
  'vessel_departed',
  'vessel_arrived',
  'vessel_discharged',
  'rail_loaded',
  'rail_departed',
  'rail_unloaded',
  'full_out',
  'empty_in',
]
const inland = ['rail_unloaded', 'full_out']

async function fill(
  { service: { pool } }: TestApi,
  of: {
    readonly name: RowName
    readonly which: 0 | 1 | null
    readonly id: string
    readonly shipmentId: string
    readonly customerId: string
  },
): Promise<void> {
  const { name, which, id, shipmentId, customerId } = of
  const instant = which === null ? null : { kind: 'instant', at: `${dayOf[which]}T12:00:00.000Z` }
  const day = which === null ? null : { kind: 'day', on: dayOf[which] }
  const place = (unlocode: string) => ({ unlocode, name: unlocode, timeZone: 'UTC', terminalId: null })
  const leg = (codes: readonly [string, string]) => ({
    place: which === null ? null : place(codes[which]),
    etd: instant,
    atd: instant,
    eta: instant,
    ata: instant,
  })
  const ship = which === null ? null : { imo: null, name: ['SANTOS EXPRESS', 'COLOMBO EXPRESS'][which] }
  const both = {
    portOfLoading: leg(['CNSHG', 'CNNGB']),
    portOfDischarge: leg(['USLAX', 'USLGB']),
    destination: which === null ? null : leg(ends),
    podVessel: ship,
    podVoyage: ship && '012E',
  }
  const container = {
    ...both,
    milestones:
      which === null
        ? []
        : moves.map((move) => ({
            kind: 'actual',
            name: move,
            callKey: `${inland.includes(move) ? ends[which] : 'USLAX'}#1`,
            time: instant,
            place: place('USLAX'),
            vessel: null,
            voyage: null,
            source: 'carrier',
            claimId: id,
          })),
    deliveredAt: instant,
    pickupAppointment: instant,
    freeTime: { line: day, terminal: day, rail: day },
    pickupTimeZone: 'America/Los_Angeles',
    available: which === null ? null : true,
    holds: which === 0 ? [{ name: 'customs', status: 'hold', description: null }] : [],
    fees: which === 0 ? [{ type: 'demurrage', amount: 5, currencyCode: 'USD' }] : [],
    saidBy: which === null ? {} : { fees: 'terminal' },
    podTerminal: which === null ? null : { ...place('USLAX'), terminalId: terminals[which] },
  }
  await pool.query(
    `update containers set projection = projection || $2, created_at = $3, updated_at = $3, ref_numbers = $4, scac = $5 where id = $1`,
    [
      id,
      JSON.stringify(container),
      `${which === null ? '2026-03-01' : dayOf[which]}T12:00:00Z`,
      [`PO-${name.toUpperCase()}`],
      which === null ? null : ['ONEY', 'MAEU'][which],
    ],
  )
  await pool.query(
    `update shipments set projection = projection || $2, created_at = $3, customer_id = $4, tracking_stopped_at = $5, ref_numbers = $6 where id = $1`,
    [
      shipmentId,
      JSON.stringify(both),
      `${which === null ? '2026-03-01' : dayOf[which]}T12:00:00Z`,
      which === 0 ? customerId : null,
      which === 1 ? startAt : null,
      [`SREF-${name.toUpperCase()}`],
    ],
  )
}
