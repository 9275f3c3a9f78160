/**
 * The receiver of the delivery benchmark, in its own process. Prints its port, then each notification and when it came.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const came: [id: string, atMs: number][] = []
const server = createServer((request, response) => {
  const atMs = performance.timeOrigin + performance.now()
  came.push([String(request.headers['webhook-id']), atMs])
  request.resume().on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
)

// The end of the input is the end of the benchmark.
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify({ came })}\n`, () => process.exit(0))
})
