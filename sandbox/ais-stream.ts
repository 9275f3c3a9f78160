/**
 * The reports of the ships in the format of AISStream, over WebSocket. As there, nothing is sent before a subscription,
 * and a client that subscribes too late is disconnected.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Report } from './fleet.ts'

const SUBSCRIBE_WITHIN_MS = 3_000
const BEHIND_BYTES_MAX = 1_000_000

interface Subscription {
  readonly boxes: readonly (readonly [readonly [number, number], readonly [number, number]])[]
  readonly mmsi: ReadonlySet<string> | null
  readonly types: ReadonlySet<string> | null
}

export class AisStream {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 100_000 })
  private readonly subscribers = new Map<WebSocket, Subscription>()

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.server.handleUpgrade(request, socket, head, (client) => this.greet(client))
  }

  get isHeard(): boolean {
    return this.subscribers.size > 0
  }

  tell(report: Report): void {
    for (const [client, subscription] of this.subscribers) {
      // A client that reads too slowly misses reports, as with real radio.
      if (client.bufferedAmount > BEHIND_BYTES_MAX || !wants(subscription, report)) continue
      for (const [type, body] of messagesOf(report)) {
        if (subscription.types !== null && !subscription.types.has(type)) continue
        client.send(writeMessage(type, body, report))
      }
    }
  }

  close(): void {
    for (const client of this.server.clients) client.terminate()
    this.server.close()
  }

  private greet(client: WebSocket): void {
    const timer = setTimeout(() => client.close(1008, 'no subscription'), SUBSCRIBE_WITHIN_MS)
    client.on('error', () => client.terminate())
    client.on('close', () => {
      clearTimeout(timer)
      this.subscribers.delete(client)
    })
    client.on('message', (data) => {
      clearTimeout(timer)
      const subscription = readSubscription(String(data))
      if (typeof subscription !== 'string') return this.subscribers.set(client, subscription)
      client.send(JSON.stringify({ error: subscription }))
      return client.close(1008)
    })
  }
}

/** The subscription, or a sentence about its fault in AISStream's words. */
function readSubscription(text: string): Subscription | string {
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text)
  } catch {
    return 'Subscription message is malformed'
  }
  if (typeof value['APIKey'] !== 'string' || value['APIKey'] === '') return 'Api Key Is Not Valid'
  const boxes = value['BoundingBoxes']
  if (!Array.isArray(boxes) || boxes.length === 0) return 'BoundingBoxes are required'
  const only = (name: string): ReadonlySet<string> | null =>
    Array.isArray(value[name]) ? new Set(value[name] as string[]) : null
  return {
    boxes: boxes as Subscription['boxes'],
    mmsi: only('FiltersShipMMSI'),
    types: only('FilterMessageTypes'),
  }
}

function wants({ boxes, mmsi }: Subscription, report: Report): boolean {
  if (mmsi !== null && !mmsi.has(report.mmsi)) return false
  return boxes.some(([a, b]) => isBetween(report.latitude, a[0], b[0]) && isBetween(report.longitude, a[1], b[1]))
}

function isBetween(value: number, a: number, b: number): boolean {
  return value >= Math.min(a, b) && value <= Math.max(a, b)
}

function messagesOf(report: Report): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const base = { RepeatIndicator: 0, UserID: Number(report.mmsi), Valid: true }
  const position = {
    ...base,
    MessageID: 1,
    NavigationalStatus: report.speedKnots === 0 ? 5 : 0,
    RateOfTurn: 0,
    Sog: report.speedKnots,
    PositionAccuracy: true,
    Longitude: report.longitude,
    Latitude: report.latitude,
    Cog: report.courseDegrees,
    TrueHeading: report.courseDegrees,
    Timestamp: new Date(report.at).getUTCSeconds(),
    SpecialManoeuvreIndicator: 0,
    Spare: 0,
    Raim: false,
    CommunicationState: 0,
  }
  if (!report.isIntroduced) return [['PositionReport', position]]
  const itself = {
    ...base,
    MessageID: 5,
    AisVersion: 1,
    ImoNumber: Number(report.vessel.imo),
    CallSign: 'SANDBOX',
    Name: report.vessel.name.padEnd(20, ' ').slice(0, 20),
    Type: 71,
    Dimension: { A: 200, B: 100, C: 20, D: 20 },
    FixType: 1,
    Eta: { Month: 0, Day: 0, Hour: 24, Minute: 60 },
    MaximumStaticDraught: 12,
    Destination: '',
    Dte: false,
    Spare: false,
  }
  return [
    ['ShipStaticData', itself],
    ['PositionReport', position],
  ]
}

function writeMessage(type: string, body: Readonly<Record<string, unknown>>, report: Report): string {
  const time = new Date(report.at).toISOString().replace('T', ' ').replace('Z', '000000 +0000 UTC')
  const about = {
    MMSI: Number(report.mmsi),
    ShipName: report.vessel.name,
    latitude: report.latitude,
    longitude: report.longitude,
    time_utc: time,
  }
  return JSON.stringify({ MessageType: type, MetaData: about, Message: { [type]: body } })
}
