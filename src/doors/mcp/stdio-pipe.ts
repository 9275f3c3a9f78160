/** Passes MCP messages between a program that speaks over standard input and output and a server that speaks over HTTP. */

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const internalError = -32_603

/** Until standard input ends. `tell`: where to say what went wrong; standard output is for messages alone. */
export async function pipeStdio(
  to: { readonly url: URL; readonly apiKey: string },
  tell: (sentence: string) => void,
): Promise<void> {
  const here = new StdioServerTransport()
  const there = new StreamableHTTPClientTransport(to.url, {
    requestInit: { headers: { authorization: `Token ${to.apiKey}` } },
  })
  const ended = Promise.withResolvers<void>()
  there.onmessage = (message) => {
    noteVersion(there, message)
    void here.send(message).catch((error: unknown) => tell(sentenceOf(error)))
  }
  // Whatever fails is told where it was asked, below; a stream that nobody reads any more is no news.
  there.onerror = () => {}
  here.onmessage = (message) => {
    there.send(message).catch((error: unknown) => {
      tell(sentenceOf(error))
      if (!('method' in message && 'id' in message)) return
      void here.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: internalError, message: sentenceOf(error) },
      })
    })
  }
  here.onclose = () => ended.resolve()
  await there.start()
  await here.start()
  process.stdin.once('end', () => ended.resolve())
  await ended.promise
  await there.close()
  await here.close()
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
