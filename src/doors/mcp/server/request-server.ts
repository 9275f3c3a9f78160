/**
 * A server that lives for one request. To one of the 2025 protocol it is told again what the client said of itself at its
 * beginning, for there is no session that would remember it; and what it asks the client bears a name of its own.
 */

import { McpServer, type McpServerOptions, type Transport } from '@modelcontextprotocol/server'
import { nameQuestions } from './asked-clients.ts'
import type { ClientIntroduction } from './client-token.ts'
import type { McpCaller } from './mcp-caller.ts'

const introductionId = 'introduction'

export interface Of2025 {
  readonly caller: McpCaller
  /** Null when the client said nothing that we would need. */
  readonly introduction: ClientIntroduction | null
}

export class RequestServer extends McpServer {
  readonly #of2025: Of2025 | null

  constructor(
    info: ConstructorParameters<typeof McpServer>[0],
    options: McpServerOptions,
    of2025: Of2025 | null,
  ) {
    super(info, options)
    this.#of2025 = of2025
  }

  override async connect(transport: Transport): Promise<void> {
    if (this.#of2025 !== null) nameQuestions(transport, this.#of2025.caller)
    await super.connect(transport)
    const introduction = this.#of2025?.introduction ?? null
    if (introduction !== null) await introduce(transport, introduction)
  }
}

async function introduce(transport: Transport, introduction: ClientIntroduction): Promise<void> {
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
