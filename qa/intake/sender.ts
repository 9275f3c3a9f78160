/**
 * A line that pushes its events over HTTP and repeats each delivery until it is answered with 202, and a customer who
 * requests their bills.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import { journey } from '../../test/support/tracking-harness.ts'
import { requestAll } from '../kill/client.ts'

export interface Sender {
  /** The ids of the events in deliveries that were answered with 202. */
  readonly accepted: ReadonlySet<string>
  /** How often a delivery was sent again because there was no answer. */
  readonly repeated: () => number
  /** Begins nothing new, and completes what was begun. */
  readonly stop: () => Promise<void>
}

const senders = 3
const pauseMs = 150

const scac = 'HLCU'
const billOf = (index: number) => `HLCUSHA26${String(index).padStart(7, '0')}`
const boxOf = (index: number) => {
  const number = `LDFU${200_000 + index}`
  return `${number}${containerCheckDigit(number)}`
}

export function startSending(of: {
  readonly apiUrl: string
  readonly apiKey: string
  readonly channel: string
  readonly channelKey: string
  readonly random: () => number
}): Sender {
  const accepted = new Set<string>()
  let [next, repeated, isStopping] = [0, 0, false]
  const post = async (body: string): Promise<boolean> => {
    try {
      const response = await fetch(`${of.apiUrl}/v2/inbound/${of.channel}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${of.channelKey}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      if (response.status === 202) return true
      if (response.status < 500 && response.status !== 429)
        throw new Error(`a delivery was refused: ${response.status} ${text.slice(0, 300)}`)
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('a delivery was refused')) throw error
      // No answer: the program was killed.
    }
    return false
  }
  const send = async (events: readonly Readonly<Record<string, unknown>>[]): Promise<void> => {
    const body = JSON.stringify(events)
    while (!(await post(body))) {
      repeated += 1
      await pause(200)
    }
    for (const event of events) accepted.add(String(event['eventID']))
  }
  /** Sends a journey in two deliveries. Its bill is requested before, between or after them. */
  const tell = async (index: number): Promise<void> => {
    const serial = String(index).padStart(4, '0')
    const events = journey(billOf(index), 'discharged', [boxOf(index)]).map((event) => ({
      ...event,
      eventID: String(event['eventID']).replace('0000-4000', `${serial}-4000`),
    }))
    const ask = () =>
      requestAll({ apiUrl: of.apiUrl, key: of.apiKey }, [{ scac, kind: 'bill_of_lading', number: billOf(index) }])
    const steps = [() => send(events.slice(0, 3)), () => send(events.slice(3))]
    steps.splice(Math.floor(of.random() * 3), 0, ask)
    for (const step of steps) await step()
  }
  const work = Array.from({ length: senders }, async () => {
    while (!isStopping) {
      next += 1
      await tell(next)
      await pause(pauseMs * of.random())
    }
  })
  const all = Promise.all(work)
  all.catch(() => {})
  return {
    accepted,
    repeated: () => repeated,
    stop: async () => {
      isStopping = true
      await all
    },
  }
}
