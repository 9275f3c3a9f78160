/** Passes MCP messages between a program that uses standard input and output and a server that uses HTTP. */

import { PassThrough } from 'node:stream'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isJSONRPCErrorResponse, isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const internalError = -32_603
/** How long to wait for the last answers after standard input has ended. */
const lastAnswersMs = 30_000

/**
 * Resolves when standard input has ended and all requests are answered. `log` gets the error messages, because standard
 * output is for MCP messages only.
 */
export async function pipeStdio(
  to: { readonly url: URL; readonly apiKey: string },
  log: (sentence: string) => void,
): Promise<void> {
  const { input, ended } = keepOpen(process.stdin)
  const here = new StdioServerTransport(input, process.stdout)
  const there = new StreamableHTTPClientTransport(to.url, {
    requestInit: { headers: { authorization: `Token ${to.apiKey}` } },
  })
  const open = trackOpenRequests()
  const closed = Promise.withResolvers<void>()
  const answer = (message: JSONRPCMessage): void => {
    void here
      .send(message)
      .catch((error: unknown) => log(describeRequestError(error)))
      .finally(() => open.answered(message))
  }
  there.onmessage = (message) => {
    setNegotiatedVersion(there, message)
    answer(message)
  }
  // A failed request is reported where it was sent, below. Errors of a stream that nobody reads any more do not matter.
  there.onerror = () => {}
  here.onmessage = (message) => {
    open.asked(message)
    there.send(message).catch((error: unknown) => {
      log(describeRequestError(error))
      if (!('method' in message && 'id' in message)) return
      const errorBody = { code: internalError, message: describeRequestError(error) }
      answer({ jsonrpc: '2.0', id: message.id, error: errorBody })
    })
  }
  here.onerror = (error) => log(`This is not an MCP message: ${error.message.slice(0, 200)}`)
  here.onclose = () => closed.resolve()
  await there.start()
  await here.start()
  await Promise.race([closed.promise, ended.then(() => open.allAnswered(lastAnswersMs))])
  await there.close()
  await here.close()
}

/**
 * The transport stops writing when its input ends, so it gets an input that never ends. A last line without a line
 * break gets one.
 */
function keepOpen(stdin: NodeJS.ReadableStream): {
  readonly input: PassThrough
  readonly ended: Promise<void>
} {
  const input = new PassThrough()
  const over = Promise.withResolvers<void>()
  stdin.pipe(input, { end: false })
  stdin.once('end', () => {
    input.write('\n')
    // First lets the message that was read last be passed on.
    setImmediate(over.resolve)
  })
  return { input, ended: over.promise }
}

/**
 * The requests without an answer so far. A `subscriptions/listen` request never ends by itself, so it is not counted.
 */
function trackOpenRequests() {
  const ids = new Set<unknown>()
  const none = Promise.withResolvers<void>()
  let isLast = false
  const resolveIfDone = (): void => {
    if (isLast && ids.size === 0) none.resolve()
  }
  return {
    asked: (message: JSONRPCMessage): void => {
      if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen') ids.add(message.id)
    },
    answered: (message: JSONRPCMessage): void => {
      if (!('method' in message) && 'id' in message) ids.delete(message.id)
      resolveIfDone()
    },
    allAnswered: async (withinMs: number): Promise<void> => {
      isLast = true
      resolveIfDone()
      const timeout = setTimeout(none.resolve, withinMs)
      await none.promise
      clearTimeout(timeout)
    },
  }
}

/** In the 2025 protocol, every later request must carry the version that the server chose. */
function setNegotiatedVersion(there: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) return
  const version = message.result['protocolVersion']
  if (typeof version === 'string') there.setProtocolVersion(version)
}

function describeRequestError(error: unknown): string {
  const status = error instanceof Error && 'status' in error ? ` (${String(error.status)})` : ''
  return `The request to the Landfall server failed${status}: ${error instanceof Error ? error.message : String(error)}`
}
