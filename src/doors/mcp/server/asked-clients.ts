/**
 * Questions to clients of the 2025 protocol that are waiting for their answer: asked in the stream of the call that wants
 * to know, answered by a request of its own. Each question gets a name that cannot be guessed, and only who was asked may
 * answer it. They wait in the process that asked; where another one gets the answer, the call runs into its time-out.
 */

import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import type { McpCaller } from './mcp-caller.ts'

interface Question {
  readonly askedAs: RequestId
  readonly principal: string
  readonly transport: Transport
}

const questions = new Map<RequestId, Question>()

/** From now on, requests that are sent over the transport bear names under which `takeAnswer` finds them. */
export function nameQuestions(transport: Transport, caller: McpCaller): void {
  const send = transport.send.bind(transport)
  const names = new Set<string>()
  transport.send = async (message, options) => {
    if (!('method' in message && 'id' in message)) return send(message, options)
    const name = randomUUID()
    names.add(name)
    questions.set(name, { askedAs: message.id, principal: principalOf(caller), transport })
    return send({ ...message, id: name }, options)
  }
  const close = transport.close.bind(transport)
  transport.close = async () => {
    for (const name of names) questions.delete(name)
    await close()
  }
}

/** False for what is no answer to a question of ours to this caller. */
export function takeAnswer(message: JSONRPCMessage, caller: McpCaller): boolean {
  if ('method' in message || !('id' in message) || message.id === undefined) return false
  const question = questions.get(message.id)
  if (question === undefined || question.principal !== principalOf(caller)) return false
  questions.delete(message.id)
  question.transport.onmessage?.({ ...message, id: question.askedAs })
  return true
}

function principalOf({ context: { account, actor } }: McpCaller): string {
  return `${account.id} ${actor.kind} ${actor.kind === 'system' ? '' : actor.id}`
}
