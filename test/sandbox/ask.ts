/** A sandbox with a clock that tests set by hand, and the requests of tests to it. */
import type { TestContext } from 'node:test'
import type { Listed } from '../../sandbox/catalogue.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'

export const EPOCH = Date.UTC(2026, 0, 1)

export interface DcsaEvent {
  readonly eventID: string
  readonly eventCreatedDateTime: string
  readonly eventType: 'SHIPMENT' | 'TRANSPORT' | 'EQUIPMENT'
  readonly eventClassifierCode: string
  readonly eventDateTime: string
  readonly transportEventTypeCode?: string
  readonly equipmentEventTypeCode?: string
  readonly shipmentEventTypeCode?: string
  readonly equipmentReference?: string
  readonly ISOEquipmentCode?: string
  readonly emptyIndicatorCode?: string
  readonly seals?: readonly object[]
  readonly documentReferences: readonly { documentReferenceType: string; documentReferenceValue: string }[]
  readonly references?: readonly { referenceType: string; referenceValue: string }[]
  readonly transportCall?: {
    readonly transportCallID: string
    readonly UNLocationCode: string
    readonly modeOfTransport: string
    readonly vessel?: { readonly vesselIMONumber?: string; readonly vesselName: string }
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const PARAMETERS = {
  bill_of_lading: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  container: 'equipmentReference',
} as const

export class Asker {
  readonly url: string
  private readonly clock: { now: number }

  constructor(url: string, clock: { now: number }) {
    this.url = url
    this.clock = clock
  }

  static async start(t: Pick<TestContext, 'after'>, days = 80, seed = 1): Promise<Asker> {
    const clock = { now: EPOCH + days * DAY }
    const sandbox = await startSandbox({
      port: 0,
      host: '127.0.0.1',
      seed,
      epoch: EPOCH,
      now: () => clock.now,
    })
    t.after(() => sandbox.close())
    return new Asker(sandbox.url, clock)
  }

  setDay(days: number): void {
    this.clock.now = EPOCH + days * DAY
  }

  setTime(iso: string): void {
    this.clock.now = Date.parse(iso)
  }

  get now(): number {
    return this.clock.now
  }

  async get(path: string, init?: RequestInit): Promise<Reply> {
    const response = await fetch(this.url + path, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  async ask(scac: string, kind: string, number: string, more = ''): Promise<Reply> {
    const parameter = PARAMETERS[kind as keyof typeof PARAMETERS]
    return this.get(`/${scac.toLowerCase()}/v2/events?${parameter}=${number}&limit=1000${more}`)
  }

  async events(scac: string, kind: string, number: string): Promise<readonly DcsaEvent[]> {
    const reply = await this.ask(scac, kind, number)
    return reply.status === 200 ? eventsIn(reply.text) : []
  }

  async numbers(query = ''): Promise<readonly Listed[]> {
    return JSON.parse((await this.get(`/sandbox/numbers?limit=100000${query}`)).text)
  }
}

export function eventsIn(text: string): readonly DcsaEvent[] {
  const body: unknown = JSON.parse(text)
  return (Array.isArray(body) ? body : (body as { events: DcsaEvent[] }).events) as readonly DcsaEvent[]
}

export function codeOf(event: DcsaEvent): string {
  return event.transportEventTypeCode ?? event.equipmentEventTypeCode ?? event.shipmentEventTypeCode ?? ''
}
