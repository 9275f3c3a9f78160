// What the tests of tracking share: a service whose clock the test moves, a line on loopback, and the events that the
// line reports, in DCSA 2.2.

import type { TestContext } from 'node:test'
import type pg from 'pg'
import type { Context } from '../../src/modules/access/context.ts'
import { requestTracking } from '../../src/modules/tracking-requests/request-tracking.ts'
import { type Carrier, openCarrier } from './carrier.ts'
import { giveAccess, openTestService, type TestService } from './service.ts'

type RequestType = 'bill_of_lading' | 'booking_number' | 'container'
type Json = Readonly<Record<string, unknown>>

export interface Stage extends TestService {
  readonly carrier: Carrier
  /** The account of one company; `newAccount` makes another. */
  readonly account: Context
  readonly track: (
    number: string,
    options?: { readonly type?: RequestType; readonly as?: Context; readonly scac?: string },
  ) => Promise<string>
  readonly rows: <Row extends pg.QueryResultRow = Record<string, never>>(
    sql: string,
    values?: unknown[],
  ) => Promise<Row[]>
  readonly row: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row>
  readonly request: (id: string) => Promise<RequestSeen>
  /** Names of an account's events in the order of happening. */
  readonly heard: (as?: Context) => Promise<readonly string[]>
  /** Moves the clock to the next planned look and does all work that is due. Returns the hours that passed, or null. */
  readonly nextLook: () => Promise<number | null>
}

export interface RequestSeen {
  readonly status: string
  readonly failedReason: string | null
  readonly isRetrying: boolean
  readonly retryCount: number | null
  readonly shipmentId: string | null
}

/** An access to Hapag-Lloyd for all accounts, at a line on loopback; closed after the test. */
export async function openStage(
  t: TestContext,
  options: {
    readonly profile?: Json
    readonly startAt?: string
    readonly env?: Readonly<Record<string, string>>
  } = {},
): Promise<Stage> {
  const { profile, ...service } = options
  // A time after all events of `journey`, because an actual event in the future is not believed.
  const opened = await openTestService({ startAt: '2026-02-01T00:00:00Z', ...service })
  const carrier = await openCarrier()
  t.after(async () => {
    await carrier.close()
    await opened.close()
  })
  await giveAccess(opened, { scac: 'HLCU', profile: carrier.profile('HLCU', profile) })
  const account = await opened.newAccount()
  const { pool } = opened.service
  const rows: Stage['rows'] = async (text, values = []) => (await pool.query({ text, values })).rows as never
  const row: Stage['row'] = async (text, values) => {
    const [first] = await rows(text, values)
    if (first === undefined) throw new Error('no such row')
    return first as never
  }
  return {
    ...opened,
    carrier,
    account,
    rows,
    row,
    track: async (number, { type = 'bill_of_lading', as = account, scac = 'HLCU' } = {}) => {
      const input = { requestType: type, requestNumber: number, scac, refNumbers: [], shipmentTags: [] }
      return (await requestTracking(opened.service, as, input)).id
    },
    request: (id) =>
      row<RequestSeen & pg.QueryResultRow>(
        `select status, failed_reason as "failedReason", is_retrying as "isRetrying", retry_count as "retryCount",
                shipment_id as "shipmentId" from tracking_requests where id = $1`,
        [id],
      ),
    heard: async (as = account) =>
      (
        await rows<{ name: string }>('select name from events where account_id = $1 order by ordinal', [as.account.id])
      ).map(({ name }) => name),
    nextLook: async () => {
      const now = new Date(opened.clock.now()).toISOString()
      const { at } = await row<{ at: string | null }>(
        `select min(greatest(s.next_look_at, c.next_slot_at)) as at
           from subjects s join credentials c on c.id = s.credential_id where s.next_look_at is not null`,
      )
      if (at === null) return null
      const before = opened.clock.now()
      if (at > now) opened.clock.set(Date.parse(at))
      await opened.drain()
      return (opened.clock.now() - before) / 3_600_000
    },
  }
}

export const box = 'LDFU1000018'
export const otherBox = 'LDFU1000023'

const vessel = { vesselIMONumber: '9321483', vesselName: 'King of the Seas' }
const calls = {
  CNSHG: { transportCallID: 'CALL-1', transportCallSequenceNumber: 1 },
  USLAX: { transportCallID: 'CALL-2', transportCallSequenceNumber: 2 },
} as const

/** One event of a journey from Shanghai to Los Angeles under a bill. `told` gives it its id and must be unique. */
export function event(of: {
  readonly told: number
  readonly code: 'GTOT' | 'GTIN' | 'LOAD' | 'DISC' | 'DEPA' | 'ARRI'
  readonly at: string
  readonly place: keyof typeof calls
  readonly bill: string
  readonly boxes?: readonly string[]
  readonly load?: 'LADEN' | 'EMPTY'
  readonly classifier?: 'ACT' | 'EST' | 'PLN'
}): Json {
  const { boxes = [box], load = 'LADEN', classifier = 'ACT' } = of
  const isSailing = of.code === 'DEPA' || of.code === 'ARRI'
  const call = {
    ...calls[of.place],
    UNLocationCode: of.place,
    modeOfTransport: 'VESSEL',
    exportVoyageNumber: '601E',
    vessel,
  }
  return {
    eventID: `00000000-0000-4000-8000-${String(of.told).padStart(12, '0')}`,
    eventCreatedDateTime: '2026-01-01T00:00:00Z',
    eventClassifierCode: classifier,
    eventDateTime: of.at,
    eventType: isSailing ? 'TRANSPORT' : 'EQUIPMENT',
    ...(isSailing
      ? { transportEventTypeCode: of.code }
      : {
          equipmentEventTypeCode: of.code,
          equipmentReference: boxes[0],
          ISOEquipmentCode: '45G1',
          emptyIndicatorCode: load,
          eventLocation: { UNLocationCode: of.place },
        }),
    transportCall: call,
    documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: of.bill }],
    references: boxes.map((each) => ({ referenceType: 'EQ', referenceValue: each })),
  }
}

/** A journey so far, up to and including the named stage. */
export function journey(
  bill: string,
  upTo: 'loaded' | 'sailed' | 'arrived' | 'discharged' | 'out' | 'back',
  boxes: readonly string[] = [box],
): readonly Json[] {
  const stages = ['loaded', 'sailed', 'arrived', 'discharged', 'out', 'back']
  const of = (
    stage: number,
    told: number,
    what: Omit<Parameters<typeof event>[0], 'told' | 'bill'>,
  ): readonly Json[] => (stage <= stages.indexOf(upTo) ? [event({ told, bill, ...what })] : [])
  return [
    ...boxes.flatMap((each, index) => [
      ...of(0, index * 10 + 1, {
        code: 'GTOT',
        load: 'EMPTY',
        at: '2026-01-03T09:00:00+08:00',
        place: 'CNSHG',
        boxes: [each],
      }),
      ...of(0, index * 10 + 2, {
        code: 'GTIN',
        at: '2026-01-05T16:00:00+08:00',
        place: 'CNSHG',
        boxes: [each],
      }),
      ...of(0, index * 10 + 3, {
        code: 'LOAD',
        at: '2026-01-07T22:00:00+08:00',
        place: 'CNSHG',
        boxes: [each],
      }),
      ...of(3, index * 10 + 4, {
        code: 'DISC',
        at: '2026-01-23T11:00:00-08:00',
        place: 'USLAX',
        boxes: [each],
      }),
      ...of(4, index * 10 + 5, {
        code: 'GTOT',
        at: '2026-01-26T10:00:00-08:00',
        place: 'USLAX',
        boxes: [each],
      }),
      ...of(5, index * 10 + 6, {
        code: 'GTIN',
        load: 'EMPTY',
        at: '2026-01-30T14:00:00-08:00',
        place: 'USLAX',
        boxes: [each],
      }),
    ]),
    ...of(1, 991, { code: 'DEPA', at: '2026-01-08T05:00:00+08:00', place: 'CNSHG', boxes }),
    ...of(2, 992, { code: 'ARRI', at: '2026-01-22T06:00:00-08:00', place: 'USLAX', boxes }),
  ]
}

export const unknown = {
  status: 404,
  json: { statusCode: 404, errors: [{ message: 'No events found.' }] },
} as const
