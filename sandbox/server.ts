/**
 * The sandbox over HTTP: every line at `/<scac>/v2/events`, terminals and railways at `/facilities/<name>`, and
 * information for testers under `/sandbox/`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from './answer.ts'
import { answer, refuse } from './answer.ts'
import { journeys, listNumbers } from './catalogue.ts'
import { channelOf, FACILITIES, findFacility } from './facilities.ts'
import { describe, SECRETS } from './facility-descriptions.ts'
import { FacilityDesk } from './facility-desk.ts'
import type { Fault } from './faults.ts'
import { Faults, findKind } from './faults.ts'
import { storyTime } from './latecomers.ts'
import { findLine, LINES, type Line } from './lines.ts'
import { misbehave, numbersIn, send } from './misbehaviour.ts'
import { namedScenarios, withoutHyphens } from './named.ts'
import { PartnerPost } from './partner-post.ts'
import { PARTNERS } from './partners.ts'
import { openRadio } from './radio.ts'
import { World } from './world.ts'

export interface SandboxSetting {
  readonly port: number
  readonly host: string
  readonly seed: number
  /** Sandbox time in milliseconds since 1970. */
  readonly now: () => number
  /** The sandbox time at which this world first started. */
  readonly epoch: number
  readonly faults?: readonly Fault[]
  /**
   * TCP port for the NMEA messages of the ships. 0 takes a free port; without it the ships can be received over
   * WebSocket only.
   */
  readonly nmeaPort?: number | null
}

export interface Sandbox {
  readonly url: string
  readonly nmeaPort: number | null
  /** Makes the ships that are due report at once. */
  readonly tick: () => void
  /** Sends news to the subscribers of terminals and railways at once. */
  readonly tellSubscribers: () => Promise<void>
  /** Makes the partners send at once what is due. */
  readonly tellPartners: () => Promise<void>
  close(): Promise<void>
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }
const BODY_BYTES_MAX = 10_000

export async function startSandbox(setting: SandboxSetting): Promise<Sandbox> {
  const world = new World(setting.seed, setting.epoch)
  const faults = new Faults(setting.faults)
  const desk = new FacilityDesk({ world, seed: setting.seed, faults, now: setting.now })
  const post = new PartnerPost(setting.now)
  const radio = await openRadio({ now: setting.now, host: setting.host, nmeaPort: setting.nmeaPort ?? null })
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.on('upgrade', radio.upgrade)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(setting.port, setting.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://${setting.host.includes(':') ? `[${setting.host}]` : setting.host}:${port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const now = setting.now()
    const url = URL.parse(request.url ?? '/', origin)
    if (url === null) return send(response, refuse(new URL(origin), 400, 'invalidUrl', 'Unreadable address.', now))
    const [first = '', second = '', ...rest] = url.pathname.split('/').filter((part) => part !== '')
    if (first === '' || first === 'sandbox') {
      return send(response, await serveSandbox(request, url, second, rest[0] ?? '', now))
    }
    if (first === 'facilities') return desk.serve(request, response, { url, path: [second, ...rest] })
    const line = findLine(first)
    const isEvents = line !== null && second === 'v2' && rest.length === 1 && rest[0] === 'events'
    if (!isEvents) return send(response, refuse(url, 404, 'notFound', 'There is nothing at this address.', now))
    if (request.method !== 'GET')
      return send(response, refuse(url, 405, 'methodNotAllowed', 'Only GET is answered.', now))
    watchShipments(line, url, now)
    const fault = faults.take(line.scac, numbersIn(url))
    if (fault === null) send(response, answer(world, line, url, now))
    else misbehave(response, fault, { world, line, url, now })
  }

  /** A person who asks for a shipment may also want the positions of its ships, and messages of partners about it. */
  function watchShipments(line: Line, url: URL, now: number): void {
    for (const text of numbersIn(url)) {
      const number = withoutHyphens(text.toUpperCase().replaceAll(' ', ''))
      const spellings = [number, `${line.scac}${number}`, number.slice(line.scac.length)]
      for (const spelling of spellings) {
        // While a story runs faster than the clock, its ship has no position: no real radio could report it.
        for (const shipment of world.find(line, spelling, now)) {
          if (storyTime(shipment, now) === now) radio.fleet.watch(shipment)
          post.watch(shipment)
        }
      }
    }
  }

  async function serveSandbox(
    request: IncomingMessage,
    url: URL,
    topic: string,
    detail: string,
    now: number,
  ): Promise<Answer> {
    const query = url.searchParams
    const scac = query.get('scac')
    const line = scac === null ? null : findLine(scac)
    if (scac !== null && line === null) return json(404, { error: `no line ${scac}` })
    switch (topic) {
      case '':
        return json(200, {
          lines: LINES.map(({ scac: code, kinds }) => ({
            scac: code,
            kinds,
            url: `${origin}/${code.toLowerCase()}/v2/events`,
          })),
          facilities: FACILITIES.map(({ name, title, workflow }) => ({
            name,
            title,
            workflow,
            url: `${origin}/facilities/${name}`,
          })),
          see: [
            '/sandbox/facilities',
            '/sandbox/numbers',
            '/sandbox/scenarios',
            '/sandbox/clock',
            '/sandbox/journeys/<number>',
            '/sandbox/faults',
          ],
        })
      case 'clock':
        return json(200, {
          now: new Date(now).toISOString(),
          epoch: new Date(setting.epoch).toISOString(),
          seed: setting.seed,
        })
      case 'facilities': {
        const inbound = query.get('inbound') ?? 'http://127.0.0.1:3000/v2/inbound'
        return json(
          200,
          FACILITIES.map((facility) => ({
            channel: channelOf(facility.name),
            workflow: facility.workflow,
            description: describe(facility, origin, inbound),
            secrets: SECRETS,
          })),
        )
      }
      case 'partners': {
        if (request.method === 'POST' && !openPost(await readBody(request)))
          return json(400, { error: 'expected {inbound, keys}, and an address of this machine' })
        return json(
          200,
          PARTNERS.map(({ channel, speaker, language, profile }) => ({
            channel,
            speaker,
            language,
            profile,
          })),
        )
      }
      case 'numbers': {
        const [kind, stage, scenario] = [query.get('kind'), query.get('stage'), query.get('scenario')]
        const limit = Math.max(1, Number(query.get('limit') ?? 50) || 50)
        const isLively = query.get('lively') === 'true'
        const filter = { line, kind, stage, scenario, isLively }
        return json(200, listNumbers(world, now, filter).slice(0, limit))
      }
      case 'scenarios':
        return json(200, namedScenarios())
      case 'journeys': {
        const found = journeys(world, withoutHyphens(decodeURIComponent(detail).toUpperCase()), line, now)
        return json(found.length === 0 ? 404 : 200, found)
      }
      case 'faults': {
        if (request.method === 'DELETE') faults.clear()
        if (request.method === 'POST' && !setFault(await readBody(request))) {
          return json(400, { error: 'expected {scac, kind, count} or {facility, kind, count}' })
        }
        return json(200, faults.list())
      }
      default:
        return json(404, { error: 'nothing here' })
    }
  }

  function setFault(text: string): boolean {
    const body = readJson(text)
    const named = String(body?.['scac'] ?? body?.['facility'] ?? '')
    const name = findLine(named)?.scac ?? findFacility(named)?.name ?? null
    const kind = findKind(String(body?.['kind'] ?? ''))
    const count = Number(body?.['count'] ?? 1)
    if (name === null || kind === null || !Number.isInteger(count)) return false
    faults.set({ scac: name, kind, count })
    return true
  }

  function openPost(text: string): boolean {
    const body = readJson(text)
    const [inbound, keys] = [body?.['inbound'], body?.['keys']]
    if (typeof inbound !== 'string' || typeof keys !== 'object' || keys === null) return false
    return post.open({ inbound, keys: keys as Readonly<Record<string, string>> })
  }

  return {
    url: origin,
    nmeaPort: radio.nmeaPort,
    tick: radio.tick,
    tellSubscribers: () => desk.deliveries.tell(),
    tellPartners: () => post.tell(),
    close: async () => {
      desk.deliveries.close()
      post.close()
      await radio.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function json(status: number, body: unknown): Answer {
  return { status, headers: JSON_TYPE, body: JSON.stringify(body) }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_BYTES_MAX) break
  }
  return text
}

function readJson(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
