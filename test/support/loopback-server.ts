// Servers on loopback for tests of requests that go out: one that speaks HTTP, and one that sends whatever the test
// writes.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export async function serve(
  t: TestContext,
  listener: RequestListener,
): Promise<{ readonly port: number; readonly url: string; readonly server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/`, server }
}

/** A server that does not speak HTTP: it sends only what the test writes. */
export async function serveRaw(t: TestContext, talk: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createRawServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    talk(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
