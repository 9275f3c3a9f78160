/** Passes MCP messages between a program that speaks over standard input and output and a server that speaks over HTTP. */

import { PassThrough } from 'node:stream'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const internalError = -32_603
/** So long is an answer waited for when nothing more is asked. */
const lastAnswersMs = 30_000

/**
 * Until standard input ends and what was asked has been answered. `tell`: where to say what went wrong; standard output is
 * for messages alone.
 */
export async function pipeStdio(
  to: { readonly url: URL; readonly apiKey: string },
  tell: (sentence: string) => void,
): Promise<void> {
  const { input, ended } = keptOpen(process.stdin)
  const here = new StdioServerTransport(input, process.stdout)
  const there = new StreamableHTTPClientTransport(to.url, {
    requestInit: { headers: { authorization: `Token ${to.apiKey}` } },
  })
  const open = openRequests()
  const closed = Promise.withResolvers<void>()
  const answer = (message: JSONRPCMessage): void => {
    void here
      .send(message)
      .catch((error: unknown) => tell(sentenceOf(error)))
      .finally(() => open.answered(message))
  }
  there.onmessage = (message) => {
    noteVersion(there, message)
    answer(message)
  }
  // Whatever fails is told where it was asked, below; a stream that nobody reads any more is no news.
  there.onerror = () => {}
  here.onmessage = (message) => {
    open.asked(message)
    there.send(message).catch((error: unknown) => {
      tell(sentenceOf(error))
      if (!('method' in message && 'id' in message)) return
      const said = { code: internalError, message: sentenceOf(error) }
      answer({ jsonrpc: '2.0', id: message.id, error: said })
    })
  }
  here.onerror = (error) => tell(`This is no message of MCP: ${error.message.slice(0, 200)}`)
  here.onclose = () => closed.resolve()
  await there.start()
  await here.start()
  await Promise.race([closed.promise, ended.then(() => open.allAnswered(lastAnswersMs))])
  await there.close()
  await here.close()
}

/** The transport stops writing when its input ends, so it gets one that does not; a last line without its end gets one. */
function keptOpen(stdin: NodeJS.ReadableStream): {
  readonly input: PassThrough
  readonly ended: Promise<void>
} {
  const input = new PassThrough()
  const over = Promise.withResolvers<void>()
  stdin.pipe(input, { end: false })
  stdin.once('end', () => {
    input.write('\n')
    // What was read last is handed on first.
    setImmediate(over.resolve)
  })
  return { input, ended: over.promise }
}

/** The requests that have no answer yet. One that listens for as long as it can is not waited for. */
function openRequests() {
  const ids = new Set<unknown>()
  const none = Promise.withResolvers<void>()
  let isLast = false
  const settle = (): void => {
    if (isLast && ids.size === 0) none.resolve()
  }
  return {
    asked: (message: JSONRPCMessage): void => {
      if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen')
        ids.add(message.id)
    },
    answered: (message: JSONRPCMessage): void => {
      if (!('method' in message) && 'id' in message) ids.delete(message.id)
      settle()
    },
    allAnswered: async (withinMs: number): Promise<void> => {
      isLast = true
      settle()
      const timeout = setTimeout(none.resolve, withinMs)
      await none.promise
      clearTimeout(timeout)
    },
  }
}

/** By the 2025 protocol, what the server chose goes with every later request. */
function noteVersion(there: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) return
  const version = message.result['protocolVersion']
  if (typeof version === 'string') there.setProtocolVersion(version)
}

function sentenceOf(error: unknown): string {
  const status = error instanceof Error && 'status' in error ? ` (${String(error.status)})` : ''
  return `The Landfall server could not be asked${status}: ${error instanceof Error ? error.message : String(error)}`
}
