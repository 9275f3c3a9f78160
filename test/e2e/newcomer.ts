/** What a new user does with a running program: runs the printed commands, and sends requests to its API. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import type { WireResource } from '../support/api.ts'
import type { Served } from './compare-journey.ts'
import { type Program, root } from './program.ts'

export interface Document {
  readonly data: WireResource & readonly WireResource[]
  readonly included?: readonly WireResource[]
}

/** A running program and a key for it. */
export interface Door {
  readonly program: Program
  readonly key: string
}

/** A printed `curl` line, in the parts that curl would send. */
export interface Line {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Attributes {
  readonly request_type: string
  readonly request_number: string
  readonly scac: string
}

export function authorize(key: string): Readonly<Record<string, string>> {
  return { authorization: `Token ${key}` }
}

export async function get({ program, key }: Door, path: string): Promise<Document> {
  const response = await fetch(program.apiUrl + path, { headers: authorize(key) })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text) as Document
}

export async function send(
  { program, key }: Door,
  method: 'POST' | 'PATCH',
  path: string,
  body?: unknown,
): Promise<Document> {
  const response = await fetch(program.apiUrl + path, {
    method,
    headers: {
      ...authorize(key),
      ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.equal(response.status, method === 'POST' ? 201 : 200, text)
  return JSON.parse(text) as Document
}

/** The id of the new tracking request. */
export async function track(door: Door, attributes: Attributes): Promise<string> {
  return (await send(door, 'POST', '/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })).data.id
}

/** The printed commands as a shell reads them: with the key from the file, and none longer than a terminal is wide. */
export function printedLines({ program, key }: Door): readonly Line[] {
  const blocks = program.stderr().match(/^ {2}curl -s .*(?:\n {4}.*)*/gm) ?? []
  return blocks.map((block) => {
    // The data folder of a real user has a shorter name than that of a test.
    const lines = block.replaceAll(/\S+(?=\/first-api-key)/g, '/srv/landfall/data').split('\n')
    for (const line of lines) assert.ok(line.length <= 80, line)
    const [, url = '', ...rest] = wordsOf(block)
    const after = (option: string): readonly string[] => rest.filter((_, at) => rest[at - 1] === option)
    const headers = Object.fromEntries(
      after('-H').map((header) => {
        const [name = '', value = ''] = header.split(': ')
        return [name, value] as const
      }),
    )
    assert.equal(headers['Authorization'], `Token ${key}`)
    return { url, headers, body: after('-d')[0] ?? null }
  })
}

/** What `curl` would be given by a shell. */
function wordsOf(line: string): readonly string[] {
  const listing = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }`
  const { stdout } = spawnSync('/bin/sh', ['-c', `${listing}\n${line}`], { cwd: root, encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}

export function attributesOf(body: string): Attributes {
  return (JSON.parse(body) as { readonly data: { readonly attributes: Attributes } }).data.attributes
}

/** The containers of a request's shipment, and their transport events. */
export async function readServed(
  door: Door,
  request: string,
): Promise<{
  readonly boxes: readonly string[]
  readonly served: readonly Served[]
  readonly eventIds: readonly string[]
}> {
  const { included = [] } = await get(door, `/v2/tracking_requests/${request}?include=tracked_object.containers`)
  const boxes: string[] = []
  const served: Served[] = []
  const eventIds: string[] = []
  for (const { id, attributes } of included.filter(({ type }) => type === 'container')) {
    const box = String(attributes['number'])
    boxes.push(box)
    const { data: events } = await get(door, `/v2/containers/${id}/transport_events?page[size]=100`)
    for (const event of events) {
      const name = String(event.attributes['event'])
      if (!name.startsWith('container.transport.')) continue
      eventIds.push(event.id)
      if (name.startsWith('container.transport.estimated.')) continue
      const { location_locode: unlocode, timestamp: at } = event.attributes
      served.push({
        box,
        name: name.replace('container.transport.', ''),
        unlocode: unlocode as string | null,
        // Written as the truth writes it, with milliseconds.
        at: at === null ? null : new Date(String(at)).toISOString(),
        source: String(event.attributes['data_source']),
      })
    }
  }
  return { boxes, served, eventIds }
}
