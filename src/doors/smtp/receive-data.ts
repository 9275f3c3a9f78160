/**
 * Receives the bytes of a message, within what one message may have and what all that are under way may have together.
 */

import type { SMTPServerDataStream } from 'smtp-server'

export type Received =
  | { readonly kind: 'received'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' | 'busy' }

export interface Room {
  readonly bytesMax: number
  taken: number
}

/** Rejects when the connection ends before the message does. Whatever happens, the room is given back with `leave`. */
export async function receiveData(
  stream: SMTPServerDataStream,
  room: Room,
): Promise<{ readonly received: Received; readonly leave: () => void }> {
  const chunks: Buffer[] = []
  let held = 0
  let isBusy = false
  const drop = (): void => {
    chunks.length = 0
    room.taken -= held
    held = 0
  }
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      isBusy ||= room.taken + bytes.length > room.bytesMax
      // The rest is read and dropped: the answer to a message comes after its end.
      if (isBusy || stream.sizeExceeded) {
        drop()
        continue
      }
      chunks.push(bytes)
      held += bytes.length
      room.taken += bytes.length
    }
  } catch (error) {
    drop()
    throw error
  }
  if (stream.sizeExceeded) return { received: { kind: 'too_large' }, leave: drop }
  if (isBusy) return { received: { kind: 'busy' }, leave: drop }
  return { received: { kind: 'received', bytes: Buffer.concat(chunks) }, leave: drop }
}
