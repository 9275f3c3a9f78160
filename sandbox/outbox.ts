/**
 * A queue of news about published boxes, with the HTTP interface of Azure Service Bus: a message is locked, then
 * deleted.
 */
import type { Answer } from './answer.ts'
import type { Facility } from './facilities.ts'
import { Watched } from './watched.ts'
import type { World } from './world.ts'

const LOCKED_MS = 30_000

interface Message {
  readonly id: number
  readonly body: string
  lockedUntil: number
}

export class Outbox {
  private readonly watched: Watched
  private readonly facility: Facility
  private readonly messages = new Map<number, Message>()
  private nextId = 1

  constructor(world: World, facility: Facility, now: () => number) {
    this.watched = new Watched(world, now)
    this.facility = facility
  }

  publish(numbers: readonly string[]): void {
    for (const number of numbers) this.watched.add(this.facility, number)
  }

  /** POST to the queue's head locks the next message. DELETE at the message's address removes it. */
  serve(method: string, path: readonly string[]): Answer {
    const id = Number(path.at(-1))
    if (method === 'DELETE' && Number.isInteger(id))
      return { status: this.messages.delete(id) ? 200 : 404, headers: {}, body: '' }
    if (method !== 'POST') return { status: 405, headers: {}, body: '' }
    const message = this.next()
    if (message === null) return { status: 204, headers: {}, body: '' }
    message.lockedUntil = Date.now() + LOCKED_MS
    return {
      status: 201,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        Location: `/facilities/${this.facility.name}/updates/messages/${message.id}`,
        BrokerProperties: JSON.stringify({
          SequenceNumber: message.id,
          MessageId: `${this.facility.name}-${message.id}`,
        }),
      },
      body: message.body,
    }
  }

  /** Messages that were locked and not deleted come again before new ones. */
  private next(): Message | null {
    const free = (): Message | undefined =>
      [...this.messages.values()].find(({ lockedUntil }) => lockedUntil <= Date.now())
    const waiting = free()
    if (waiting !== undefined) return waiting
    for (const { record } of this.watched.news()) {
      const id = this.nextId++
      this.messages.set(id, { id, body: JSON.stringify(record), lockedUntil: 0 })
    }
    return free() ?? null
  }
}
