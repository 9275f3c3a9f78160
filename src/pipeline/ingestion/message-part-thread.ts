/**
 * Cuts and reads large deliveries in a thread of its own, because that uses the processor for seconds. Deliveries that
 * are open at the same time are read alternately.
 */

import { parentPort } from 'node:worker_threads'
import { packBody } from '../response-archive/encrypted-bodies.ts'
import type { MessagePartBatch, PartReaderCommand, ThreadReply, ThreadRequest } from './message-part-reader.ts'
import {
  buildAcknowledgement,
  readMessagePart,
  type SplitDelivery,
  splitChannelDelivery,
  type UnreadDelivery,
} from './read-message-parts.ts'

const open = new Map<number, { readonly of: UnreadDelivery; readonly cut: SplitDelivery }>()

parentPort?.on('message', ({ call, question }: ThreadRequest) => {
  try {
    send({ call, answer: answerQuestion(question) })
  } catch (error) {
    send({ call, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})

function send(answered: ThreadReply): void {
  parentPort?.postMessage(answered)
}

function answerQuestion(question: PartReaderCommand): unknown {
  const { delivery } = question
  if (question.kind === 'open') {
    // Bytes lose their class on the way.
    const of = { ...question.of, body: asBuffer(question.of.body) }
    const cut = splitChannelDelivery(of)
    open.set(delivery, { of, cut })
    const { messageParts, faults, announced } = cut
    return { count: messageParts.length, faults, announced, packed: packBody(of.body) }
  }
  const opened = open.get(delivery)
  if (opened === undefined) throw new Error('this delivery is not open')
  switch (question.kind) {
    case 'read':
      return readBatch(opened, question)
    case 'acknowledge':
      return buildAcknowledgement(opened.of.body, question.of)
    case 'close':
      return open.delete(delivery)
  }
}

function readBatch(
  { of, cut }: { readonly of: UnreadDelivery; readonly cut: SplitDelivery },
  { from, to }: { readonly from: number; readonly to: number },
): MessagePartBatch {
  const read = cut.messageParts.slice(from, to).map((messagePart) => readMessagePart(of, messagePart))
  const operators = new Map<string, string | null>()
  for (const { number } of read.flatMap(({ about }) => about)) {
    const operator = cut.operators.get(number)
    if (operator !== undefined) operators.set(number, operator)
  }
  // A body is often a view of the complete delivery, and copying a view copies all that it is a view of.
  const bodies = Buffer.concat(read.map(({ part: messagePart }) => messagePart.body))
  const messageParts = read.map((each) => {
    const { body, ...messagePart } = each.part
    return { ...each, part: messagePart, byteCount: body.length }
  })
  return { messageParts, bodies, operators }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
