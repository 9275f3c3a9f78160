/**
 * Terminals and railways over HTTP. Some answer questions. Others get a list of the wanted boxes, and then fill a queue
 * or deliver. The published and subscribed boxes are all that the sandbox remembers, until it ends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import { fraction } from './chance.ts'
import { Deliveries } from './deliveries.ts'
import { type Facility, findFacility } from './facilities.ts'
import { SECRETS } from './facility-descriptions.ts'
import { findBox, recordOf } from './facility-record.ts'
import type { FaultKind, Faults } from './faults.ts'
import { DAY, MINUTE } from './local-time.ts'
import { misbehaveWith, send } from './misbehaviour.ts'
import { checkDigit } from './numbers.ts'
import { Outbox } from './outbox.ts'
import type { World } from './world.ts'

interface DeskSetting {
  readonly world: World
  readonly seed: number
  readonly faults: Faults
  readonly now: () => number
}

const BODY_BYTES_MAX = 200_000
const BATCH_MAX = 100

export class FacilityDesk {
  private readonly setting: DeskSetting
  private readonly outboxes = new Map<string, Outbox>()
  readonly deliveries: Deliveries

  constructor(setting: DeskSetting) {
    this.setting = setting
    this.deliveries = new Deliveries(setting.world, setting.now)
  }

  /** Serves the paths below `/facilities/`. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    { url, path }: { readonly url: URL; readonly path: readonly string[] },
  ): Promise<void> {
    const [name = '', ...rest] = path
    const facility = findFacility(name)
    if (facility === null) return send(response, json(404, { error: 'no such facility' }))
    const body = request.method === 'POST' ? readJson(await readBody(request)) : null
    if (rest[0] === 'token') return send(response, json(200, { access_token: SECRETS.apiKey, expires_in: 3600 }))
    if (!isKnown(request)) return send(response, json(401, { error: 'who are you?' }))
    const numbers = numbersOf(facility, url, rest, body)
    const fault = this.faultOf(facility, numbers)
    const at = this.setting.now() - (fault === 'stale' ? DAY : 0)
    const { method = '' } = request
    const right = (asked: readonly string[]): Answer => this.answer(facility, { method, rest, body, asked, at })
    if (fault === null) return send(response, right(numbers))
    if (fault === 'half') return send(response, right(numbers.slice(0, Math.ceil(numbers.length / 2))))
    misbehaveWith(response, fault, {
      right: () => right(numbers),
      other: () => right(this.others(facility, numbers)),
      unknown: () => right([]),
      nodata: () => withoutData(right(numbers)),
      refuse: (status, message) => json(status, { error: message }),
    })
  }

  private answer(facility: Facility, { method, rest, body, asked, at }: Question): Answer {
    const { world } = this.setting
    const list = facility.site === 'port' ? 'containers' : 'units'
    const records = (): readonly object[] =>
      asked.flatMap((number) => {
        const box = findBox(world, facility, number, at)
        return (box === null ? null : recordOf(box, at)) ?? []
      })
    switch (facility.workflow) {
      case 'ask': {
        const [record] = records()
        return record === undefined ? json(404, { error: 'no such container' }) : json(200, record)
      }
      case 'ask_many':
        return json(200, { [list]: records() })
      case 'queue': {
        const outbox = this.outboxOf(facility)
        if (rest[0] === 'publish') {
          outbox.publish(asked)
          return json(202, { published: asked.length })
        }
        return outbox.serve(method, rest)
      }
      case 'subscribe': {
        const [callback, bearer] = [textOf(body?.['callback']), textOf(body?.['bearer'])]
        if (!this.deliveries.subscribe({ facility, callback, bearer, numbers: asked }))
          return json(400, { error: 'callback must be an address of this machine' })
        return json(201, { subscribed: asked.length })
      }
    }
  }

  private outboxOf(facility: Facility): Outbox {
    const known = this.outboxes.get(facility.name)
    if (known !== undefined) return known
    const outbox = new Outbox(this.setting.world, facility, this.setting.now)
    this.outboxes.set(facility.name, outbox)
    return outbox
  }

  /**
   * The fault of this request: one that was switched on, one that the number means, or, rarely, a random one. A random
   * fault lasts for ten minutes.
   */
  private faultOf(facility: Facility, numbers: readonly string[]): FaultKind | null {
    const told = this.setting.faults.take(facility.name, numbers)
    if (told !== null || numbers.length === 0) return told
    const hour = Math.floor(this.setting.now() / (10 * MINUTE))
    const chance = fraction(`fault|${this.setting.seed}|${facility.name}|${hour}`)
    if (facility.workflow === 'queue' || facility.workflow === 'subscribe') return chance < 0.0005 ? '429' : null
    if (chance < 0.0005) return '429'
    if (chance < 0.001) return 'html'
    if (chance < 0.006) return 'other'
    return chance < 0.016 && facility.workflow === 'ask_many' ? 'half' : null
  }

  /** A box that the facility knows and that was not asked about. */
  private others(facility: Facility, asked: readonly string[]): readonly string[] {
    const { world, now } = this.setting
    for (const shipment of world.recent(now(), 60, null))
      for (const { number } of shipment.boxes)
        if (!asked.includes(number) && findBox(world, facility, number, now()) !== null) return [number]
    return []
  }
}

type Json = Readonly<Record<string, unknown>>

interface Question {
  readonly method: string
  /** The path behind the facility's name. */
  readonly rest: readonly string[]
  readonly body: Json | null
  readonly asked: readonly string[]
  readonly at: number
}

/** Railways leave out the check digit; it is added here. */
function numbersOf(
  { site, workflow }: Facility,
  url: URL,
  rest: readonly string[],
  body: Json | null,
): readonly string[] {
  const units = Array.isArray(body?.['units']) ? (body['units'] as readonly unknown[]) : []
  const listed = Array.isArray(body?.['containers']) ? (body['containers'] as readonly unknown[]).map(textOf) : []
  const named = workflow === 'ask' ? [rest.at(-1) ?? ''] : (url.searchParams.get('containers') ?? '').split(',')
  const joined = units.map((unit) => {
    const { initial, number } = Object(unit) as Json
    return textOf(initial) + textOf(number)
  })
  return [...listed, ...joined, ...named]
    .map((number) => number.trim().toUpperCase())
    .filter((number) => /^[A-Z]{4}\d{6,7}$/.test(number) || number.startsWith('FAULT'))
    .map((number) => (site === 'ramp' && number.length === 10 ? number + String(checkDigit(number)) : number))
    .slice(0, BATCH_MAX)
}

/** Any of the ways to sign in that the descriptions use. */
function isKnown({ headers }: IncomingMessage): boolean {
  const { apiKey, username, password } = SECRETS
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const { authorization = '' } = headers
  return headers['x-api-key'] === apiKey || [apiKey, `Bearer ${apiKey}`, basic].includes(authorization)
}

/** Leaves only the members that identify each box. */
function withoutData(answer: Answer): Answer {
  const named = new Set(['container', 'terminal', 'initial', 'number', 'asOf', 'containers', 'units', ''])
  const isKept = (name: string): boolean => named.has(name) || /^\d+$/.test(name)
  const body: unknown = JSON.parse(answer.body, (name, value) => (isKept(name) ? value : undefined))
  return { ...answer, body: JSON.stringify(body) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function json(status: number, body: object): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_BYTES_MAX) break
  }
  return text
}

function readJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}
