/**
 * The clients of the read benchmark, in their own process: a number of connections, each of which asks again when it
 * was answered.
 */

import { Agent, get } from 'node:http'
import { readOrder } from './program.ts'

interface Order {
  readonly port: number
  readonly key: string
  readonly paths: readonly string[]
  readonly connections: number
  readonly seconds: number
  readonly requestsMax: number
}

const order = await readOrder<Order>()
const agent = new Agent({ keepAlive: true, maxSockets: order.connections })
const headers = { authorization: `Token ${order.key}`, accept: 'application/vnd.api+json' }
let asked = 0
let answered = 0
const startedAt = performance.now()
const until = startedAt + order.seconds * 1_000

async function client(): Promise<void> {
  while (performance.now() < until && asked < order.requestsMax) {
    await ask(order.paths[asked++ % order.paths.length] ?? '/')
    answered += 1
  }
}

/** Any status but 200 ends the benchmark, because refusals are fast. */
function ask(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, host: '127.0.0.1', port: order.port, path, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} was answered ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

await Promise.all(Array.from({ length: order.connections }, client))
const seconds = (performance.now() - startedAt) / 1_000
agent.destroy()
process.stdout.write(`${JSON.stringify({ perSecond: answered / seconds })}\n`)
