/**
 * A server that exists for one request. In the 2025 protocol a client introduces itself once, and there is no session
 * here that would store that. So the server is given that introduction again. Its questions to the client get ids of
 * their own.
 */

import { McpServer, type McpServerOptions, type Transport } from '@modelcontextprotocol/server'
import { assignQuestionIds } from './client-questions.ts'
import type { ClientIntroduction } from './client-token.ts'
import type { McpCaller } from './mcp-caller.ts'

const introductionId = 'introduction'

export interface LegacyRequest {
  readonly caller: McpCaller
  /** Null when the client has no capability that we would use. */
  readonly introduction: ClientIntroduction | null
}

export class RequestServer extends McpServer {
  readonly #of2025: LegacyRequest | null

  constructor(
    info: ConstructorParameters<typeof McpServer>[0],
    options: McpServerOptions,
    of2025: LegacyRequest | null,
  ) {
    super(info, options)
    this.#of2025 = of2025
  }

  override async connect(transport: Transport): Promise<void> {
    if (this.#of2025 !== null) assignQuestionIds(transport, this.#of2025.caller)
    await super.connect(transport)
    const introduction = this.#of2025?.introduction ?? null
    if (introduction !== null) await sendIntroduction(transport, introduction)
  }
}

async function sendIntroduction(transport: Transport, introduction: ClientIntroduction): Promise<void> {
  const send = transport.send.bind(transport)
  const answered = Promise.withResolvers<void>()
  transport.send = async (message, options) => {
    if (!('id' in message) || message.id !== introductionId) return send(message, options)
    answered.resolve()
  }
  transport.onmessage?.({
    jsonrpc: '2.0',
    id: introductionId,
    method: 'initialize',
    params: { ...introduction },
  })
  await answered.promise
  transport.send = send
}
