/**
 * Questions to clients of the 2025 protocol that still wait for an answer. A question is sent in the stream of the call
 * that needs the answer; the answer comes in a request of its own. Each question has an id that cannot be guessed, and
 * only the client that got the question may answer it. Questions are stored in the memory of the process that sent
 * them. A process of the same group passes an answer on to it; if a process elsewhere gets the answer, the call runs
 * into its time-out.
 */

import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { listenForSiblings, passToSiblings } from '../../platform/siblings.ts'
import type { McpCaller } from './mcp-caller.ts'

interface PendingQuestion {
  readonly originalId: RequestId
  readonly principal: string
  readonly transport: Transport
}

const questions = new Map<RequestId, PendingQuestion>()

/** Gives every request that is sent over the transport from now on an id by which `acceptAnswer` finds it. */
export function assignQuestionIds(transport: Transport, caller: McpCaller): void {
  const send = transport.send.bind(transport)
  const names = new Set<string>()
  transport.send = async (message, options) => {
    if (!('method' in message && 'id' in message)) return send(message, options)
    const name = randomUUID()
    names.add(name)
    questions.set(name, { originalId: message.id, principal: principalOf(caller), transport })
    return send({ ...message, id: name }, options)
  }
  const close = transport.close.bind(transport)
  transport.close = async () => {
    for (const name of names) questions.delete(name)
    await close()
  }
}

/** False when the message does not answer a question that this process, or one beside it, sent to this caller. */
export function acceptAnswer(message: JSONRPCMessage, caller: McpCaller): boolean {
  const principal = principalOf(caller)
  return acceptOwnAnswer({ message, principal }) || passToSiblings({ message, principal } satisfies ClientAnswer)
}

interface ClientAnswer {
  readonly message: JSONRPCMessage
  readonly principal: string
}

// Nothing else is passed on between the processes.
listenForSiblings((answer) => acceptOwnAnswer(answer as ClientAnswer))

function acceptOwnAnswer({ message, principal }: ClientAnswer): boolean {
  if ('method' in message || !('id' in message) || message.id === undefined) return false
  const question = questions.get(message.id)
  if (question === undefined || question.principal !== principal) return false
  questions.delete(message.id)
  question.transport.onmessage?.({ ...message, id: question.originalId })
  return true
}

function principalOf({ context: { account, actor } }: McpCaller): string {
  return `${account.id} ${actor.kind} ${actor.kind === 'system' ? '' : actor.id}`
}
