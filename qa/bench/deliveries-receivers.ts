/**
 * The receivers of the deliveries benchmark, in their own process: as many servers as the first line of input asks for,
 * and a slow one. Prints their ports. Then, for each further line of input, prints what has arrived since the last
 * line, and when.
 */

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

const slowMs = 15_000

export interface Ports {
  readonly ports: readonly number[]
  readonly slowPort: number
}

export interface Came {
  readonly came: readonly (readonly [id: string, atMs: number])[]
}

let came: [id: string, atMs: number][] = []

const answer: RequestListener = (request, response) => {
  came.push([String(request.headers['webhook-id']), performance.timeOrigin + performance.now()])
  request.resume().on('end', () => response.writeHead(204).end())
}

const answerSlowly: RequestListener = (request, response) => {
  request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), slowMs))
}

async function open(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

let isOpen = false
for await (const line of createInterface({ input: process.stdin })) {
  if (isOpen) {
    process.stdout.write(`${JSON.stringify({ came } satisfies Came)}\n`)
    came = []
    continue
  }
  isOpen = true
  const { receivers } = JSON.parse(line) as { readonly receivers: number }
  const ports = await Promise.all(Array.from({ length: receivers }, () => open(answer)))
  const slowPort = await open(answerSlowly)
  process.stdout.write(`${JSON.stringify({ ports, slowPort } satisfies Ports)}\n`)
}
process.exit(0)
