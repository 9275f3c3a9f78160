/**
 * What a client still sends when it is answered: a body that is refused for its size. Closed at once, the connection
 * breaks while the client writes, and it never reads why. So it is answered, and what it goes on sending is read and
 * thrown away before the connection ends, as far as is fair.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

const bytesMax = 32 * 1_048_576

/** `patienceMs`: how long a client that goes on sending is listened to. */
export function drainUnreadBodies(app: FastifyInstance, patienceMs: number): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // Where the connection stays, Node reads on by itself.
    if (reply.getHeader('connection') !== 'close' || typeof payload !== 'string' || isRead(raw)) {
      done(null, payload)
      return
    }
    answered.add(raw.socket)
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(answerFirst(payload, raw, patienceMs)))
  })
}

const answered = new WeakSet<Socket>()

/** True while nothing but the rest of a refused body comes: whatever is wrong with that, it was answered. */
export function isAnswered(socket: Socket): boolean {
  return answered.has(socket)
}

/** The answer is whole before it ends: its length tells the client so. */
async function* answerFirst(payload: string, body: IncomingMessage, patienceMs: number) {
  yield payload
  await drain(body, patienceMs)
}

function isRead(body: IncomingMessage): boolean {
  return body.complete || body.readableEnded || body.destroyed
}

/** Until all has come, the client has left, or enough is enough. */
function drain(body: IncomingMessage, patienceMs: number): Promise<void> {
  if (isRead(body)) return Promise.resolve()
  return new Promise((resolve) => {
    let left = bytesMax
    const count = (chunk: Buffer): void => {
      left -= chunk.length
      if (left < 0) end()
    }
    const end = (): void => {
      clearTimeout(timer)
      body.off('data', count).off('end', end).off('close', end).pause()
      resolve()
    }
    const timer = setTimeout(end, patienceMs)
    body.on('data', count).on('end', end).on('close', end).resume()
  })
}
