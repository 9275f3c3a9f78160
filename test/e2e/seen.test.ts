/**
 * Scenarios with statements of terminals, railways and partners beside the line: what a user sees of each at each moment
 * equals the handwritten states (`sandbox/scenarios/*.seen`). All run side by side, tracked by their numbers, and in the
 * proofs again by the number of the next stage, ten days later.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { installSandboxFacilities } from '../../src/modules/installation/sandbox-facilities.ts'
import { installSandboxPartners } from '../../src/modules/installation/sandbox-partners.ts'
import { openTestApi, type TestApi, type WireResource } from '../support/api.ts'
import { atScale } from '../support/scale.ts'
import { giveAccess } from '../support/service.ts'
import { freePorts } from './program.ts'
import { readSeen, type Seen } from './seen.ts'

const epochMs = Date.parse('2026-01-01T00:00:00Z')
const stepMs = atScale(6, 12) * HOUR
/** Between two stages of a scenario. */
const apartMs = 10 * DAY

interface Asked {
  readonly seen: Seen
  readonly number: string
  readonly laterMs: number
  request: string
}

let worldMs = epochMs
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let api: TestApi
let key: string
const problems = new Map<string, string[]>()

const asked: Asked[] = readSeen().flatMap((seen) =>
  Array.from({ length: atScale(2, 1) }, (_, stage) => ({
    seen,
    number: seen.number.replace(/1$/, String(stage + 1)),
    laterMs: stage * apartMs,
    request: '',
  })),
)

before(async () => {
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed: 1, epoch: epochMs, now: () => worldMs })
  const { api: port } = await freePorts()
  api = await openTestApi({
    startAt: new Date(epochMs).toISOString(),
    env: { LANDFALL_PORT: String(port) },
  })
  await api.app.listen({ host: '127.0.0.1', port })
  for (const scac of new Set(asked.map(({ seen }) => seen.scac)))
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
  const context = await api.newAccount({ isSandbox: true })
  key = await api.newKey(context, ['read', 'write'])
  const played = { url: sandbox.url, accountId: context.account.id }
  await installSandboxFacilities(api.service, played)
  await installSandboxPartners(api.service, played)
  await passTime()
})

after(async () => {
  await api?.close()
  await sandbox?.close()
})

for (const { number } of asked)
  test(`${number}: the API shows the handwritten expected state at every point in time`, () => {
    assert.deepEqual(problems.get(number) ?? [], [])
  })

async function passTime(): Promise<void> {
  const momentsOf = ({ seen, laterMs }: Asked) => seen.moments.map(({ at }) => at + laterMs)
  const moments = new Set(asked.flatMap(momentsOf))
  const endMs = Math.max(...moments)
  // Bills are known by then, and no container is discharged.
  const firstMs = epochMs + 13 * DAY
  for (let ms = firstMs; ms <= endMs; ms += stepMs) moments.add(ms)
  for (const ms of [...moments].toSorted((a, b) => a - b)) {
    worldMs = ms
    api.clock.set(ms)
    for (const each of asked) if (each.request === '' && ms >= firstMs + each.laterMs) each.request = await ask(each)
    await api.drain()
    await sandbox.tellSubscribers()
    await sandbox.tellPartners()
    await api.drain()
    for (const each of asked) {
      const moment = each.seen.moments.find(({ at }) => at + each.laterMs === ms)
      if (moment !== undefined) await compare(each, moment)
    }
  }
}

async function ask({ seen, number }: Asked): Promise<string> {
  const attributes = { request_type: seen.kind, request_number: number, scac: seen.scac }
  const body = { data: { type: 'tracking_request', attributes } }
  const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
  assert.equal(made.status, 201, made.text)
  return made.one().id
}

async function compare(each: Asked, { at, says }: Seen['moments'][number]): Promise<void> {
  const shown = await readShown(each)
  const wrong = says.flatMap((line) => {
    const told = shown(line)
    return told === null ? [] : [`${new Date(at).toISOString().slice(0, 16)}Z ${line}: ${told}`]
  })
  problems.set(each.number, [...(problems.get(each.number) ?? []), ...wrong])
}

/** Null if the API shows what the line of the file states, else what it shows instead. */
async function readShown({ request, laterMs }: Asked): Promise<(line: string) => string | null> {
  const url = `/v2/tracking_requests/${request}?include=tracked_object.containers`
  const answer = await api.call({ url, key })
  const included = answer.body.included ?? []
  const container = included.find(({ type }) => type === 'container')
  const shipment = included.find(({ type }) => type === 'shipment')
  if (container === undefined || shipment === undefined) return () => 'there is no box'
  const list = async (path: string): Promise<readonly WireResource[]> =>
    (await api.call({ url: `${path}?page[size]=100`, key })).many()
  const box = await api.call({ url: `/v2/containers/${container.id}?include=pod_terminal`, key })
  const { attributes } = box.one()
  const [terminal] = box.body.included ?? []
  const events = (await list(`/v2/containers/${container.id}/transport_events`)).filter(
    (event) => event.attributes['invalidated_at'] == null,
  )
  const issues = await list(`/v2/shipments/${shipment.id}/issues`)
  const raw = await list(`/v2/containers/${container.id}/raw_events`)
  return (line) => {
    const [word = '', ...rest] = line.split(/\s+/)
    const found = shownAs(word, {
      attributes,
      terminal,
      events,
      issues,
      raw,
      rest,
      laterMs,
      request: answer.one(),
    })
    const wanted = yesOrNo.has(word) ? 'yes' : rest.join(' ')
    return isShown(found, wanted, word, laterMs) ? null : found
  }
}

const yesOrNo: ReadonlySet<string> = new Set(['event', 'never', 'issue', 'heard_of'])

interface Shown {
  readonly raw: readonly WireResource[]
  readonly attributes: WireResource['attributes']
  readonly terminal: WireResource | undefined
  readonly events: readonly WireResource[]
  readonly issues: readonly WireResource[]
  readonly rest: readonly string[]
  readonly laterMs: number
  readonly request: WireResource
}

type Deadlines = Readonly<Record<string, string | null>>

function shownAs(word: string, of: Shown): string {
  const { attributes, events, issues, rest, laterMs } = of
  const deadlines = attributes['import_deadlines'] as Deadlines
  switch (word) {
    case 'request':
      return String(of.request.attributes['status'])
    case 'current_status':
      return String(attributes['current_status'])
    case 'available': {
      const is = attributes['available_for_pickup']
      return is === true ? 'yes' : attributes['availability_known'] === true ? 'no' : 'unknown'
    }
    case 'holds':
      return wordsOf(attributes['holds_at_pod_terminal'], ({ name, status }) => `${name}:${status}`)
    case 'fees':
      return wordsOf(attributes['fees_at_pod_terminal'], ({ type, amount }) => `${type}:${amount}`)
    case 'lfd':
      return dayOf(attributes['pickup_lfd'] as string | null)
    case 'lfd_line':
    case 'lfd_terminal':
    case 'lfd_rail':
      return dayOf(deadlines[`pickup_${word}`] ?? null)
    case 'yard':
      return String(attributes['location_at_pod_terminal'])
    case 'appointment':
      return minuteOf(attributes['pickup_appointment_at'] as string | null)
    case 'pod_terminal':
      return String(of.terminal?.attributes['name'])
    case 'heard_of': {
      const names = of.raw.map((event) => String(event.attributes['location_name']))
      return names.some((name) => name.includes(rest.join(' '))) ? 'yes' : names.join(', ')
    }
    case 'times':
      return `${rest[0]} ${events.filter((event) => nameOf(event) === rest[0]).length}`
    case 'issue':
      return issues.some((issue) => issue.attributes['kind'] === rest[0]) ? 'yes' : kindsOf(issues)
    case 'event':
      return events.some((event) => isEvent(event, rest, laterMs)) ? 'yes' : timesOf(events, rest[0])
    case 'never':
      return events.some((event) => isEvent(event, rest, laterMs)) ? timesOf(events, rest[0]) : 'yes'
    default:
      throw new Error(`nothing is called "${word}"`)
  }
}

function isShown(found: string, wanted: string, word: string, laterMs: number): boolean {
  if (word === 'pod_terminal') return found.includes(wanted)
  return found === moved(wanted, laterMs)
}

/** Days and moments of the next stage are ten days later. */
function moved(text: string, laterMs: number): string {
  return text.replace(
    /\d{4}-\d\d-\d\d(T\d\d:\d\dZ)?/g,
    (time) =>
      new Date(Date.parse(time) + laterMs).toISOString().slice(0, time.length - Number(time.endsWith('Z'))) +
      (time.endsWith('Z') ? 'Z' : ''),
  )
}

function isEvent(event: WireResource, [name, place, time]: readonly string[], laterMs: number): boolean {
  if (nameOf(event) !== name) return false
  const { location_locode: code, timestamp } = event.attributes
  if (place !== undefined && (code ?? 'nowhere') !== place) return false
  return time === undefined || minuteOf(timestamp as string) === moved(time, laterMs)
}

function nameOf({ attributes }: WireResource): string {
  return String(attributes['event']).replace(/^container\.(transport\.)?/, '')
}

function timesOf(events: readonly WireResource[], name: string | undefined): string {
  const told = events.filter((event) => nameOf(event) === name)
  return told.map(({ attributes }) => `${attributes['location_locode']} ${attributes['timestamp']}`).join(', ')
}

function kindsOf(issues: readonly WireResource[]): string {
  return issues.map(({ attributes }) => attributes['kind']).join(' ')
}

function wordsOf(list: unknown, write: (each: Readonly<Record<string, unknown>>) => string): string {
  const words = (list as readonly Readonly<Record<string, unknown>>[]).map(write).toSorted()
  return words.length === 0 ? 'none' : words.join(' ')
}

/** A last free day is the midnight of that day in local time. */
function dayOf(time: string | null): string {
  return time === null ? 'none' : new Date(Date.parse(time) + 12 * HOUR).toISOString().slice(0, 10)
}

function minuteOf(time: string | null): string {
  return time === null ? 'none' : `${new Date(time).toISOString().slice(0, 16)}Z`
}
