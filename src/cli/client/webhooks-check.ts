/** `landfall webhooks check`: tries a receiver on this machine with recorded deliveries, or one example of each event. */

import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { signedHeaders, trialHeaders } from '../../modules/webhooks/signatures.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { hexHeader, parseReceiverUrl, postTo } from './local-receiver.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from './server-client.ts'
import { tableLines } from './text-table.ts'

export const webhooksCheck = defineCommand({
  about: `Sends each delivery as a webhook does, signed with the secret that the receiver has. A file is the unchanged body
of a delivery of any v2 service; without a file, the command requests an example of every event from the server.
${aboutServer}
Exits with 1 when the receiver did not answer each with a status from 200 to 299.`,
  operands: [{ name: 'file', about: 'body of a delivery', isRepeated: true }],
  options: {
    to: {
      type: 'string',
      value: '<url>',
      about: 'the receiver: http://127.0.0.1:8080/landfall',
      isRequired: true,
    },
    secret: {
      type: 'string',
      value: '<secret>',
      about: 'the secret that the receiver has',
      isRequired: true,
    },
    header: {
      type: 'string',
      value: '<name>',
      about: `header of the plain signature; if it is missing, ${hexHeader}`,
    },
    url: urlOption,
    json: jsonOption,
  },
  examples: [
    'webhooks check --to http://127.0.0.1:8080/landfall --secret whsec_…',
    'webhooks check delivery.json --to http://127.0.0.1:8080/ --secret … --header X-Our-Signature',
  ],
  run: async ({ operands, options, shell }) => {
    const to = parseReceiverUrl(options.to)
    const header = options.header ?? hexHeader
    if (!/^[\w-]{1,100}$/.test(header)) throw new UsageError(`${header} is not the name of a header.`)
    const bodies =
      operands.length > 0 ? await Promise.all(operands.map(readBody)) : await readExamples(clientOf(shell, options.url))
    const rows: {
      readonly name: string
      readonly answered: string
      readonly ms: number
      readonly good: boolean
    }[] = []
    for (const { name, body } of bodies) {
      shell.progress(`${rows.length} of ${bodies.length} sent`)
      const startMs = performance.now()
      const { isGood, outcome } = await postTo(to, {
        body,
        headers: headersOf(body, { header, secret: options.secret }),
      })
      rows.push({ name, answered: outcome, ms: Math.round(performance.now() - startMs), good: isGood })
    }
    shell.progress('')
    if (options.json) for (const row of rows) shell.print(JSON.stringify(row))
    else
      for (const line of tableLines(
        ['DELIVERY', 'ANSWER', 'MS'],
        rows.map(({ name, answered, ms }) => [name, answered, ms]),
      ))
        shell.print(line)
    const bad = rows.filter(({ good }) => !good).length
    if (bad > 0) shell.log(`${bad} of ${rows.length} deliveries were not accepted.`)
    return bad === 0 ? 0 : 1
  },
})

interface Delivery {
  readonly name: string
  readonly body: Buffer
}

async function readBody(file: string): Promise<Delivery> {
  try {
    return { name: basename(file), body: await readFile(file) }
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

async function readExamples(landfall: Landfall): Promise<readonly Delivery[]> {
  const categories = await landfall.listWebhookEvents().all()
  const deliveries: Delivery[] = []
  for (const { events } of categories)
    for (const { name } of events) {
      const path = `/v2/webhook_notifications/examples?event=${encodeURIComponent(name)}`
      const response = await landfall.send({ method: 'GET', path })
      deliveries.push({ name, body: Buffer.from(await response.arrayBuffer()) })
    }
  return deliveries
}

/** A secret of ours signs in both ways; one of another service can be the key of the plain signature only. */
function headersOf(
  body: Buffer,
  { header, secret }: { readonly header: string; readonly secret: string },
): ReturnType<typeof trialHeaders> {
  const signing = { id: randomUUID(), body, atMs: Date.now(), hexHeaders: [header] }
  return secret.startsWith('whsec_')
    ? signedHeaders({ ...signing, secrets: [secret] })
    : trialHeaders({ ...signing, secret })
}
