/**
 * Customers who do not know of the upgrade: they request, edit, write notes, read lists and follow the feed, each over
 * and over. What was accepted from them is kept, to be looked for afterwards.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Asked } from '../../test/e2e/truth.ts'
import type { Balancer } from './balancer.ts'

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

interface Listed {
  readonly data: readonly { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}

export class Customers {
  /** Ids of accepted requests by what was requested. */
  readonly requested = new Map<string, string>()
  /** The last accepted reference of each shipment. */
  readonly edited = new Map<string, string>()
  /** The text of each accepted note, by its id. */
  readonly notes = new Map<string, { readonly shipment: string; readonly text: string }>()
  /** Numbers of the feed, in the order in which they came. */
  readonly fed: number[] = []
  readonly problems: string[] = []
  readonly #balancer: Balancer
  readonly #key: string
  readonly #paths: ReadonlySet<string>
  readonly #stopping = new AbortController()
  #running: Promise<unknown> = Promise.resolve()

  /** `paths`: of the operations that the older code has. */
  constructor(balancer: Balancer, by: { readonly key: string; readonly paths: ReadonlySet<string> }) {
    this.#balancer = balancer
    this.#key = by.key
    this.#paths = by.paths
  }

  /** As fast as they are answered, four at a time. */
  async requestAll(asked: readonly Asked[]): Promise<void> {
    const queue = asked.values()
    const client = async (): Promise<void> => {
      for (const each of queue) await this.#request(each)
    }
    await Promise.all([client(), client(), client(), client()])
  }

  /**
   * One request after the other until `stop`, spread over the time; the rest is requested then. `calm`: so many times the
   * usual pauses between edits, notes and lists.
   */
  begin(
    asked: readonly Asked[],
    { requestEveryMs, calm = 1 }: { readonly requestEveryMs: number; readonly calm?: number },
  ): void {
    const queue = asked.values()
    const again = async (everyMs: number, work: () => Promise<unknown>): Promise<void> => {
      for (; !this.#stopping.signal.aborted; await this.#pause(everyMs)) await work()
    }
    const request = async (): Promise<void> => {
      const { value } = queue.next()
      if (value !== undefined) await this.#request(value)
    }
    this.#running = Promise.all([
      again(requestEveryMs, request).then(() => this.requestAll([...queue])),
      again(40 * calm, () => this.#edit()),
      ...(this.#paths.has('/v2/shipments/{id}/notes') ? [again(90 * calm, () => this.#note())] : []),
      ...['/v2/shipments', '/v2/containers', '/v2/tracking_requests'].map((path) =>
        again(60 * calm, () => this.#read(`${path}?page[size]=20`)),
      ),
      again(0, () => this.#follow('&wait=2')),
    ])
    this.#running.catch(() => {})
  }

  async stop(): Promise<void> {
    this.abandon()
    await this.#running
  }

  /** They begin nothing more. What is under way is not waited for. */
  abandon(): void {
    this.#stopping.abort()
  }

  /** Reads the feed to its end. */
  async catchUp(): Promise<void> {
    while ((await this.#follow('')) > 0);
  }

  /** What is served of that which was accepted: one sentence for each difference. */
  async findLost(): Promise<readonly string[]> {
    const lost: string[] = []
    for (const [number, id] of this.requested) {
      const { status } = await this.#send('GET', `/v2/tracking_requests/${id}`)
      if (status !== 200) lost.push(`the request ${number} (${id}) is answered with ${status}`)
    }
    for (const [shipment, reference] of this.edited) {
      const { body } = await this.#send('GET', `/v2/shipments/${shipment}`)
      const { data } = body as { readonly data?: { readonly attributes: { readonly ref_numbers: unknown } } }
      const served = JSON.stringify(data?.attributes.ref_numbers)
      if (served !== JSON.stringify([reference]))
        lost.push(`shipment ${shipment} has the references ${served}; accepted was ${reference}`)
    }
    for (const [shipment, wanted] of Map.groupBy(this.notes, ([, note]) => note.shipment)) {
      const served = new Map<string, unknown>()
      for (let page = 1; ; page += 1) {
        const at = `/v2/shipments/${shipment}/notes?page[number]=${page}&page[size]=100`
        const { data } = (await this.#send('GET', at)).body as Listed
        for (const { id, attributes } of data) served.set(id, attributes['text'])
        if (data.length < 100) break
      }
      for (const [id, { text }] of wanted)
        if (served.get(id) !== text) lost.push(`the note ${id} of shipment ${shipment} is not there`)
      const more = served.size - wanted.length
      if (more > 0) lost.push(`shipment ${shipment} has ${more} notes that were written twice`)
    }
    return lost
  }

  async #request({ scac, kind, number }: Asked): Promise<void> {
    const attributes = { request_type: requestTypes[kind], request_number: number, scac }
    const sent = { data: { type: 'tracking_request', attributes } }
    const { status, body } = await this.#send('POST', '/v2/tracking_requests', sent)
    if (status !== 201) this.problems.push(`${scac} ${number} was refused: ${JSON.stringify(body)}`)
    else this.requested.set(`${scac} ${number}`, (body as { readonly data: { readonly id: string } }).data.id)
  }

  async #edit(): Promise<void> {
    const id = await this.#someShipment()
    if (id === null) return
    this.#edits += 1
    const reference = `edit ${this.#edits}`
    const sent = { data: { type: 'shipment', id, attributes: { ref_numbers: [reference] } } }
    const { status, body } = await this.#send('PATCH', `/v2/shipments/${id}`, sent)
    if (status === 200) this.edited.set(id, reference)
    else this.problems.push(`An edit was refused: ${JSON.stringify(body)}`)
  }
  #edits = 0

  async #note(): Promise<void> {
    const shipment = await this.#someShipment()
    if (shipment === null) return
    const text = `Note ${this.notes.size + 1}`
    const sent = { data: { type: 'note', attributes: { text } } }
    const { status, body } = await this.#send('POST', `/v2/shipments/${shipment}/notes`, sent)
    if (status === 201) this.notes.set((body as { readonly data: { readonly id: string } }).data.id, { shipment, text })
    else this.problems.push(`A note was refused: ${JSON.stringify(body)}`)
  }

  async #read(path: string): Promise<Listed | null> {
    const { status, body } = await this.#send('GET', path)
    if (status !== 200) this.problems.push(`${path} was answered with ${status}: ${JSON.stringify(body)}`)
    return status === 200 ? (body as Listed) : null
  }

  /** Returns how many events came. */
  async #follow(wait: string): Promise<number> {
    const last = this.fed.at(-1) ?? 0
    const read = await this.#read(`/v2/events?after=${last}&limit=500${wait}`)
    for (const { attributes } of read?.data ?? []) {
      const next = Number(attributes['sequence'])
      const before = this.fed.at(-1) ?? 0
      if (next !== before + 1) this.problems.push(`in the feed, event ${next} came after event ${before}`)
      this.fed.push(next)
    }
    return read?.data.length ?? 0
  }

  /** Thirty shipments are edited and noted in turn, so that each has been, before and after. */
  async #someShipment(): Promise<string | null> {
    if (this.#shipments.length < 30)
      this.#shipments = ((await this.#read('/v2/shipments?page[size]=30'))?.data ?? []).map(({ id }) => id)
    return this.#shipments[Math.floor(Math.random() * this.#shipments.length)] ?? null
  }
  #shipments: readonly string[] = []

  #send(method: 'GET' | 'POST' | 'PATCH', path: string, sent?: unknown) {
    return this.#balancer.send(this.#key, method, path, sent)
  }

  #pause(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}
