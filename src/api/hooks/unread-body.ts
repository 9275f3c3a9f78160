/**
 * What a client still sends after its body was refused for its size. If the server closed at once, the connection would
 * break while the client writes, and the client would never read the reason. So the server answers, and reads and
 * discards the rest of the body before it closes, within limits of size and time.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

const bytesMax = 32 * 1_048_576

/** `patienceMs` is how long the rest of the body is read. */
export function drainUnreadBodies(app: FastifyInstance, patienceMs: number): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // If the connection stays open, Node itself reads the rest.
    if (reply.getHeader('connection') !== 'close' || typeof payload !== 'string' || isBodyFinished(raw)) {
      done(null, payload)
      return
    }
    answered.add(raw.socket)
    reply.header('content-length', Buffer.byteLength(payload))
    done(null, Readable.from(sendAnswerThenDrain(payload, raw, patienceMs)))
  })
}

const answered = new WeakSet<Socket>()

/**
 * True while only the rest of a refused body comes. Errors in that rest need no answer, because the request has one.
 */
export function isDrainingBody(socket: Socket): boolean {
  return answered.has(socket)
}

/** `content-length` shows the client that the answer is complete, although the connection stays open. */
async function* sendAnswerThenDrain(payload: string, body: IncomingMessage, patienceMs: number) {
  yield payload
  await drainBody(body, patienceMs)
}

function isBodyFinished(body: IncomingMessage): boolean {
  return body.complete || body.readableEnded || body.destroyed
}

/** Resolves when the complete body has come, the client has left, or a limit is reached. */
function drainBody(body: IncomingMessage, patienceMs: number): Promise<void> {
  if (isBodyFinished(body)) return Promise.resolve()
  return new Promise((resolve) => {
    let bytesLeft = bytesMax
    const count = (chunk: Buffer): void => {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) end()
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
