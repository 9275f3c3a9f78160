/**
 * Writes batches of events as Server-Sent Events (HTML Living Standard, 9.2): one text for each batch, written when the
 * connection accepts it.
 */

import type { EventReading, EventStretch } from '../../modules/events/list-events-sql.ts'
import type { Caller } from '../callers/caller.ts'
import { writeDocument } from '../json-api/document.ts'
import { resolveInclude } from '../json-api/include.ts'
import type { View } from './send.ts'

/** After this time a client that lost the connection connects again. */
const retryMs = 1_000

/** Sends the first line at once, so that the client knows that its request was accepted. */
export async function* writeEventStream(
  caller: Caller,
  stretches: AsyncIterable<EventStretch>,
  show: { readonly view: View; readonly base: string },
): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`
  for await (const { events, examined } of stretches) {
    if (events.length === 0) yield writeHeartbeat(examined)
    else if (show.view.include === null) yield events.map((event) => writeWithoutIncluded(event, show)).join('')
    else yield await writeWithIncluded(caller, events, show)
  }
}

/** A comment; and an id without data, which moves `Last-Event-ID` past the events that the filter left out. */
function writeHeartbeat(examined: number): string {
  return `: heartbeat\nid: ${examined}\n\n`
}

/** Many clients may follow one account. An event that their streams share is written as text only once. */
const written = new WeakMap<EventReading, string>()

function writeWithoutIncluded(
  event: EventReading,
  { view: { fields }, base }: Parameters<typeof writeEventStream>[2],
): string {
  const known = fields.size === 0 ? written.get(event) : undefined
  if (known !== undefined) return known
  const text = writeStreamEvent(event, writeDocument({ data: event, inclusion: null, fields, base }))
  if (fields.size === 0) written.set(event, text)
  return text
}

/** Each event has its own included resources, so they are fetched event by event. */
async function writeWithIncluded(
  caller: Caller,
  events: readonly EventReading[],
  { view: { fields, include }, base }: Parameters<typeof writeEventStream>[2],
): Promise<string> {
  const texts: string[] = []
  for (const event of events) {
    const inclusion = await resolveInclude(caller, [event], include, [], { fields })
    texts.push(writeStreamEvent(event, writeDocument({ data: event, inclusion, fields, base })))
  }
  return texts.join('')
}

function writeStreamEvent({ sequence, event }: EventReading, document: unknown): string {
  return `id: ${sequence}\nevent: ${event.name}\ndata: ${JSON.stringify(document)}\n\n`
}
