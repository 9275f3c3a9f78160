/**
 * The client of the benchmark of the inference endpoint, in its own process: requests at a steady rate. Each delay is
 * counted from the moment when the request was due.
 */

import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { readOrder } from './program.ts'

interface Order {
  readonly port: number
  readonly key: string
  readonly path: string
  readonly numbers: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

const order = await readOrder<Order>()
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const headers = { authorization: `Token ${order.key}`, 'content-type': 'application/json' }
const delays: number[] = []

/** Any status but 200 ends the benchmark, because refusals are fast. */
function ask(number: string, dueAt: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, method: 'POST', host: '127.0.0.1', port: order.port, path: order.path, headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${order.path} was answered ${response.statusCode}`))
        response
          .resume()
          .on('error', reject)
          .on('end', () => {
            delays.push(performance.now() - dueAt)
            resolve()
          })
      },
    )
    sent.on('error', reject).end(JSON.stringify({ number }))
  })
}

const count = order.perSecond * order.seconds
const startedAt = performance.now()
const asked: Promise<void>[] = []
for (let index = 0; index < count; index += 1) {
  const dueAt = startedAt + (index * 1_000) / order.perSecond
  const waitMs = dueAt - performance.now()
  if (waitMs > 1) await pause(waitMs)
  asked.push(ask(order.numbers[index % order.numbers.length] ?? '', dueAt))
}
await Promise.all(asked)
agent.destroy()
process.stdout.write(`${JSON.stringify({ delays })}\n`)
