/**
 * Reads the message parts of a delivery: a small one in place, a large one in a thread, so that other requests are
 * answered.
 */

import { Worker } from 'node:worker_threads'
import type { MessagePart, UpdateNotice } from '../../connectors/pushed-source.ts'
import type { SourceIssue } from '../../connectors/source-issue.ts'
import { ServiceError } from '../../modules/errors.ts'
import type { Operators } from '../../modules/inference/operators-in.ts'
import type { Service } from '../../modules/service.ts'
import { inSlices } from '../../platform/in-slices.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { packBody } from '../response-archive/encrypted-bodies.ts'
import type {
  AcknowledgementRequest,
  ReadMessagePart,
  UnreadDelivery,
  WrittenAcknowledgement,
} from './read-message-parts.ts'

export interface MessagePartReader {
  readonly count: number
  readonly faults: readonly SourceIssue[]
  readonly announced: UpdateNotice | undefined
  /** The body, compressed where that makes it smaller. */
  readonly packed: Buffer
  /** `to` is not included. `operators`: of the containers of these parts. */
  readonly read: (
    from: number,
    to: number,
  ) => Promise<{ readonly messageParts: readonly ReadMessagePart[]; readonly operators: Operators }>
  readonly acknowledge: (of: AcknowledgementRequest) => Promise<WrittenAcknowledgement>
  readonly close: () => void
}

/** Cutting so many bytes takes a few milliseconds. */
const inPlaceBytesMax = 16_384

export function openPartReader(service: Service, of: UnreadDelivery): Promise<MessagePartReader> {
  return of.body.length > inPlaceBytesMax ? threadOf(service).open(of) : openInSameThread(of)
}

async function openInSameThread(of: UnreadDelivery): Promise<MessagePartReader> {
  // Loaded with the first delivery.
  const { buildAcknowledgement, splitChannelDelivery, readMessagePart } = await import('./read-message-parts.ts')
  const { messageParts, operators, ...cut } = splitChannelDelivery(of)
  return {
    ...cut,
    count: messageParts.length,
    packed: packBody(of.body),
    read: async (from, to) => {
      const read = await inSlices(messageParts.slice(from, to), (messagePart) => readMessagePart(of, messagePart))
      return { messageParts: read, operators }
    },
    acknowledge: async (acknowledgementRequest) => buildAcknowledgement(of.body, acknowledgementRequest),
    close: () => {},
  }
}

export type PartReaderCommand = { readonly delivery: number } & (
  | { readonly kind: 'open'; readonly of: UnreadDelivery }
  | { readonly kind: 'read'; readonly from: number; readonly to: number }
  | { readonly kind: 'acknowledge'; readonly of: AcknowledgementRequest }
  | { readonly kind: 'close' }
)

export interface ThreadRequest {
  readonly call: number
  readonly question: PartReaderCommand
}

export interface ThreadReply {
  readonly call: number
  readonly answer?: unknown
  /** What the thread threw. */
  readonly fault?: string
}

/** `bodies`: the bodies of all message parts, one after the other. */
export interface MessagePartBatch {
  readonly messageParts: readonly (Omit<ReadMessagePart, 'part'> & {
    readonly part: Omit<MessagePart, 'body'>
    readonly byteCount: number
  })[]
  readonly bodies: Uint8Array
  readonly operators: Operators
}

type OpenAnswer = Pick<MessagePartReader, 'count' | 'faults' | 'announced'> & { readonly packed: Uint8Array }

/** The deliveries that the thread holds in memory at the same time. The next ones wait. */
const openMax = 3
const memoryMb = 384
/** After this time without a delivery the thread ends, which frees its memory. */
const idleMs = 60_000

const threadOf = memoizePerOwner<Service, MessagePartThread>(() => new MessagePartThread())

class MessagePartThread {
  #worker: Worker | null = null
  readonly #calls = new Map<number, PromiseWithResolvers<unknown>>()
  #lastCall = 0
  #lastDelivery = 0
  #openCount = 0
  readonly #waiting: (() => void)[] = []
  #idle: NodeJS.Timeout | undefined

  async open(of: UnreadDelivery): Promise<MessagePartReader> {
    await this.#takeRoom()
    this.#lastDelivery += 1
    const delivery = this.#lastDelivery
    const worker = this.#started()
    const sendQuestion = <Answer>(question: PartReaderCommand): Promise<Answer> =>
      this.#ask(worker, question) as Promise<Answer>
    try {
      const { packed, ...cut } = await sendQuestion<OpenAnswer>({ kind: 'open', delivery, of })
      return {
        ...cut,
        packed: asBuffer(packed),
        read: async (from, to) =>
          unpackBatch(await sendQuestion<MessagePartBatch>({ kind: 'read', delivery, from, to })),
        acknowledge: (acknowledgementRequest) =>
          sendQuestion({ kind: 'acknowledge', delivery, of: acknowledgementRequest }),
        close: () => {
          sendQuestion({ kind: 'close', delivery }).catch(() => {}) // a thread that has ended holds nothing
          this.#giveRoom()
        },
      }
    } catch (error) {
      this.#giveRoom()
      throw error
    }
  }

  async #takeRoom(): Promise<void> {
    clearTimeout(this.#idle)
    if (this.#openCount < openMax) {
      this.#openCount += 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    await promise
  }

  /** Gives the free slot to the next delivery that waits. */
  #giveRoom(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#openCount -= 1
    else next()
    if (this.#openCount === 0) this.#idle = setTimeout(() => this.#worker?.terminate(), idleMs).unref()
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(new URL('./message-part-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    this.#worker = worker
    let why: unknown = null
    worker.on('message', ({ call, answer, fault }: ThreadReply) => {
      const waiting = this.#calls.get(call)
      this.#calls.delete(call)
      if (this.#calls.size === 0) worker.unref()
      if (fault === undefined) waiting?.resolve(answer)
      else waiting?.reject(new Error(fault))
    })
    worker.on('error', (error) => {
      why = error
    })
    worker.on('exit', () => {
      this.#worker = null
      for (const { reject } of this.#calls.values()) reject(this.#endedBy(why))
      this.#calls.clear()
    })
    return worker
  }

  #ask(worker: Worker, question: PartReaderCommand): Promise<unknown> {
    if (worker !== this.#worker) return Promise.reject(this.#endedBy(null))
    this.#lastCall += 1
    const call = this.#lastCall
    const waiting = Promise.withResolvers<unknown>()
    this.#calls.set(call, waiting)
    worker.ref()
    worker.postMessage({ call, question } satisfies ThreadRequest)
    return waiting.promise
  }

  /** A delivery that was alone in the thread has itself used up the memory. */
  #endedBy(why: unknown): ServiceError {
    return this.#openCount === 1
      ? new ServiceError('invalid', 'This delivery takes too much memory to read: send it in several smaller ones.', {
          cause: why,
        })
      : new ServiceError('unavailable', 'The delivery could not be read now. Send it again.', {
          retryAfterSeconds: 10,
          cause: why,
        })
  }
}

function unpackBatch({
  messageParts,
  bodies,
  operators,
}: MessagePartBatch): Awaited<ReturnType<MessagePartReader['read']>> {
  const bytes = asBuffer(bodies)
  let from = 0
  const read = messageParts.map(({ byteCount, part: messagePart, ...each }) => {
    const body = bytes.subarray(from, from + byteCount)
    from += byteCount
    return { ...each, part: { ...messagePart, body } }
  })
  return { messageParts: read, operators }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
