/** `landfall webhooks listen`: sends what a webhook would get to a program on this machine. No webhook is made. */

import { readFile, writeFile } from 'node:fs/promises'
import { makeSecret, signedHeaders } from '../../../service/telling/webhooks/signatures.ts'
import { command, type Shell, UsageError } from '../frame/command.ts'
import { aboutServer, clientOf, countOf, countOption, urlOption } from './server-client.ts'

export const webhooksListen = command({
  name: 'webhooks listen',
  summary: 'Send what a webhook would get to a program on this machine',
  about: `Reads the feed of events and sends each as a signed POST, as a webhook does, so that a receiver can be built where nobody
can reach it. No webhook is made. The document is an example of the event with the number, the id and the reference object
of the real one. Prints the secret to be put into the receiver.
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
      about: 'begin after this event: sends those that are over once more',
    },
    place: {
      type: 'string',
      value: '<file>',
      about: 'keep the number of the last event there, and go on after it',
    },
    secret: { type: 'string', value: '<whsec_…>', about: 'sign with this secret; a new one when left out' },
    count: countOption,
    url: urlOption,
  },
  examples: [
    'webhooks listen --to http://127.0.0.1:8080/landfall',
    'webhooks listen --to http://127.0.0.1:8080/ --after 0',
  ],
  run: async ({ options, shell }) => {
    const landfall = clientOf(shell, options.url)
    const { to } = options
    if (!/^https?:\/\//.test(to) || !URL.canParse(to))
      throw new UsageError(`${to} is not a URL with http or https.`)
    const secret = options.secret ?? makeSecret()
    const after = options.after === null ? 'now' : Number(options.after)
    if (after !== 'now' && !(Number.isSafeInteger(after) && after >= 0))
      throw new UsageError(`${options.after} is no number of an event.`)
    shell.tell(`Secret of the receiver: ${secret}`)
    shell.tell(`Waiting for events for ${to}. Ctrl-C ends it.`)
    let left = countOf(options.count)
    const include = ['reference_object', 'container', 'shipment'] as const
    const events = options.event?.split(',') ?? []
    const kept = options.place === null ? null : placeIn(options.place)
    for await (const { sequence, event, id } of landfall.follow({
      after,
      events,
      include,
      ...(kept && { place: kept }),
    })) {
      const example = await landfall.send({
        method: 'GET',
        path: `/v2/webhook_notifications/examples?event=${encodeURIComponent(event)}`,
      })
      const whole = await landfall.send({
        method: 'GET',
        path: `/v2/events?after=${sequence - 1}&limit=1&include=${include.join()}`,
      })
      const body = notificationOf(await example.json(), await whole.json(), id)
      left -= 1
      shell.print(`${sequence}  ${event}  ${await deliver(to, { id, body, secret, shell })}`)
      if (left > 0) continue
      // The loop is left before the feed can keep its place.
      await kept?.save(sequence)
      break
    }
    return 0
  },
})

interface Document {
  readonly data: unknown
  readonly included?: readonly unknown[]
  readonly links?: unknown
}

/** The envelope of the example, with what really happened in it. */
function notificationOf(example: unknown, feed: unknown, id: string): string {
  const { data, links } = example as { readonly data: Readonly<Record<string, unknown>> } & Document
  const { data: events, included = [] } = feed as Document & { readonly data: readonly FeedResource[] }
  const [event] = events
  const attributes = {
    ...(data['attributes'] as object),
    id,
    created_at: event?.attributes.created_at,
    sequence: event?.attributes.sequence,
  }
  const reference_object = event?.relationships['reference_object']
  const relationships = { ...(data['relationships'] as object), reference_object }
  return JSON.stringify({ data: { ...data, id, attributes, relationships }, included, links })
}
interface FeedResource {
  readonly attributes: { readonly created_at: string; readonly sequence: number }
  readonly relationships: Readonly<Record<string, unknown>>
}

/** The status of the answer, or why there was none. */
async function deliver(
  to: string,
  {
    id,
    body,
    secret,
    shell,
  }: { readonly id: string; readonly body: string; readonly secret: string; readonly shell: Shell },
): Promise<string> {
  const signing = {
    id,
    body: Buffer.from(body),
    atMs: Date.now(),
    secrets: [secret],
    hexHeaders: ['x-landfall-signature'],
  }
  try {
    const answer = await fetch(to, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
      headers: { 'content-type': 'application/json', ...Object.fromEntries(signedHeaders(signing)) },
    })
    await answer.body?.cancel()
    return String(answer.status)
  } catch (error) {
    shell.tell(`${to} did not answer: ${error instanceof Error ? error.message : String(error)}`)
    return 'no answer'
  }
}

function placeIn(file: string) {
  return {
    load: async () => {
      const text = await readFile(file, 'utf8').catch(() => '')
      return text.trim() === '' ? null : Number(text)
    },
    save: (sequence: number) => writeFile(file, `${sequence}\n`),
  }
}
