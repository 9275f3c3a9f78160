/** `landfall webhooks listen`: sends what a webhook would get to a program on this machine. No webhook is made. */

import { readFile, writeFile } from 'node:fs/promises'
import { followPages } from '../../../sdk/typescript/src/feed.ts'
import type { Resource, ResourceDocument } from '../../../sdk/typescript/src/joined.ts'
import { type EventName, feedNameOf, type WebhookEventName, webhookNames } from '../../domain/changes/event-table.ts'
import { makeSecret, signedHeaders } from '../../modules/webhooks/signatures.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { hexHeader, parseReceiverUrl, postTo } from './local-receiver.ts'
import { aboutServer, countOption, parseEventCount, readServerAccess, urlOption } from './server-client.ts'

export const webhooksListen = defineCommand({
  about: `Reads the feed of events and sends each as a signed POST, as a webhook does, to develop a receiver that the
server cannot reach. No webhook is created, so the notification has the id of the event and names no webhook. Prints the
secret for the receiver.
${aboutServer}`,
  options: {
    to: {
      type: 'string',
      value: '<url>',
      about: 'the receiver: http://127.0.0.1:8080/landfall',
      isRequired: true,
    },
    event: { type: 'string', value: '<names>', about: 'only these, with commas between' },
    after: {
      type: 'string',
      value: '<number>',
      about: 'start after this event, to send past events again',
    },
    place: {
      type: 'string',
      value: '<file>',
      about: 'store the number of the last event in this file, and continue after it',
    },
    secret: { type: 'string', value: '<whsec_…>', about: 'sign with this secret; if it is missing, with a new one' },
    count: countOption,
    url: urlOption,
  },
  examples: [
    'webhooks listen --to http://127.0.0.1:8080/landfall',
    'webhooks listen --to http://127.0.0.1:8080/ --after 0',
  ],
  run: async ({ options, shell }) => {
    const server = readServerAccess(shell, options.url)
    const connection = { url: server.base, key: server.key }
    const to = parseReceiverUrl(options.to)
    const secret = options.secret ?? makeSecret()
    if (!/^whsec_[A-Za-z0-9+/=]{16,}$/.test(secret)) throw new UsageError('A secret must be whsec_ and base64.')
    const after = options.after === null ? 'now' : Number(options.after)
    if (after !== 'now' && !(Number.isSafeInteger(after) && after >= 0))
      throw new UsageError(`${options.after} is not the number of an event.`)
    let remaining = parseEventCount(options.count)
    const place = options.place === null ? null : openPositionFile(options.place)
    const wanted = options.event?.split(',') ?? []
    const events = [...new Set(wanted.map((name) => feedNameOf(name as WebhookEventName)))] // the server refuses others
    shell.log(`Secret of the receiver: ${secret}`)
    shell.log(`Waiting for events for ${to}. Ctrl-C ends it.`)
    for await (const page of followPages(connection, { after, events, include, ...(place && { place }) }))
      for (const event of eventsOf(page)) {
        const { event: feedName, sequence } = event.attributes
        const name = webhookNames[feedName].find((each) => wanted.length === 0 || wanted.includes(each)) ?? feedName
        const body = Buffer.from(JSON.stringify(notificationOf(event, name, page)))
        const signing = { id: event.id, body, atMs: Date.now(), secrets: [secret], hexHeaders: [hexHeader] }
        const { outcome } = await postTo(to, { body, headers: signedHeaders(signing) })
        shell.print(`${sequence}  ${name}  ${outcome}`)
        await place?.save(sequence)
        remaining -= 1
        if (remaining === 0) return 0
      }
    return 0
  },
})

/** What deliveries of most events include. */
const include = [
  'reference_object.location',
  'reference_object.terminal',
  'reference_object.vessel',
  'container',
  'shipment',
] as const

interface EventResource extends Resource {
  readonly attributes: {
    readonly event: EventName
    readonly created_at: string
    readonly sequence: number
  }
}

function eventsOf({ data }: ResourceDocument): readonly EventResource[] {
  return data as readonly EventResource[] // safe: the feed answers events
}

/** The event as a notification, with those of the page's resources that belong to it. */
function notificationOf(event: EventResource, name: string, { included = [] }: ResourceDocument): object {
  const { id, attributes, relationships = {} } = event
  const byKey = new Map(included.map((each) => [`${each.type} ${each.id}`, each]))
  const linkedBy = (resource: Resource): readonly Resource[] =>
    Object.values(resource.relationships ?? {}).flatMap(({ data }) =>
      [data].flat().flatMap((each) => (each ? (byKey.get(`${each.type} ${each.id}`) ?? []) : [])),
    )
  const { reference_object: about = { data: null } } = relationships
  const [reference] = linkedBy({ ...event, relationships: { about } })
  const near = [...linkedBy(event), ...(reference === undefined ? [] : linkedBy(reference))]
  const { created_at, sequence } = attributes
  return {
    data: {
      id,
      type: 'webhook_notification',
      attributes: { id, event: name, delivery_status: 'pending', created_at, sequence },
      relationships: { reference_object: about, webhook_notification_logs: { data: [] } },
    },
    included: [...new Set(near)],
  }
}

function openPositionFile(file: string) {
  return {
    load: async () => {
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text.trim() === '') return null
      if (!/^\d+\s*$/.test(text)) throw new UsageError(`${file} does not contain the number of an event.`)
      return Number(text)
    },
    save: (sequence: number) => writeFile(file, `${sequence}\n`),
  }
}
