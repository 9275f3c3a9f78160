/** Posts news to subscribers, at the address that they gave, and repeats a delivery until it is accepted. */
import type { Facility } from './facilities.ts'
import { type News, Watched } from './watched.ts'
import type { World } from './world.ts'

export interface Subscription {
  readonly facility: Facility
  readonly callback: string
  readonly bearer: string
  readonly numbers: readonly string[]
}

interface Subscriber {
  readonly callback: string
  bearer: string
  readonly watched: Watched
  restsUntil: number
}

const EVERY_MS = 500
const REST_MS = 2_000
const AT_ONCE = 50

export class Deliveries {
  private readonly subscribers = new Map<string, Subscriber>()
  private readonly world: World
  private readonly now: () => number
  private readonly timer: NodeJS.Timeout
  private round: Promise<void> = Promise.resolve()
  private isWaiting = false

  constructor(world: World, now: () => number) {
    this.world = world
    this.now = now
    this.timer = setInterval(() => void this.tellInTurn(), EVERY_MS)
    this.timer.unref()
  }

  /** Returns false for an address of another machine: the sandbox may only reach this machine. */
  subscribe({ facility, callback, bearer, numbers }: Subscription): boolean {
    if (!isOfThisMachine(callback)) return false
    const key = `${facility.name} ${callback}`
    const subscriber = this.subscribers.get(key) ?? {
      callback,
      bearer,
      watched: new Watched(this.world, this.now),
      restsUntil: 0,
    }
    subscriber.bearer = bearer
    this.subscribers.set(key, subscriber)
    for (const number of numbers) subscriber.watched.add(facility, number)
    return true
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** Rounds run one after the other. A call during a round waits for that round and then runs its own. */
  tell(): Promise<void> {
    this.round = this.round.then(async () => {
      for (const subscriber of this.subscribers.values()) await this.tellOne(subscriber)
    })
    return this.round
  }

  private async tellInTurn(): Promise<void> {
    if (this.isWaiting) return
    this.isWaiting = true
    await this.tell()
    this.isWaiting = false
  }

  private async tellOne(subscriber: Subscriber): Promise<void> {
    if (subscriber.restsUntil > Date.now()) return
    const news = subscriber.watched.news()
    for (let from = 0; from < news.length; from += AT_ONCE) {
      const some = news.slice(from, from + AT_ONCE)
      if (await deliver(subscriber, some)) continue
      subscriber.restsUntil = Date.now() + REST_MS
      for (const each of news.slice(from)) subscriber.watched.again(each)
      return
    }
  }
}

async function deliver({ callback, bearer }: Subscriber, news: readonly News[]): Promise<boolean> {
  const list = news[0]?.facility.site === 'ramp' ? 'units' : 'containers'
  return postTo(callback, {
    bearer,
    contentType: 'application/json',
    body: JSON.stringify({ [list]: news.map(({ record }) => record) }),
  })
}

/** Whether the receiver accepted the request. */
export async function postTo(
  url: string,
  { bearer, contentType, body }: { readonly bearer: string; readonly contentType: string; readonly body: string },
): Promise<boolean> {
  try {
    const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': contentType }
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
    return response.status >= 200 && response.status < 300
  } catch {
    // The receiver does not answer, or does not run yet. The caller tries again later.
    return false
  }
}

export function isOfThisMachine(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
}
