/**
 * Receives the bytes of a message, within what one message may have and what all that are under way may have together.
 */

import type { SMTPServerDataStream } from 'smtp-server'

export type ReceiveResult =
  | { readonly kind: 'received'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' | 'busy' }

export interface MailCapacity {
  readonly bytesMax: number
  used: number
}

/** Rejects when the connection ends before the message does. The capacity is always given back with `leave`. */
export async function receiveData(
  stream: SMTPServerDataStream,
  capacity: MailCapacity,
): Promise<{ readonly received: ReceiveResult; readonly release: () => void }> {
  const chunks: Buffer[] = []
  let held = 0
  let isBusy = false
  const drop = (): void => {
    chunks.length = 0
    capacity.used -= held
    held = 0
  }
  try {
    for await (const chunk of stream) {
      const bytes = chunk as Buffer
      isBusy ||= capacity.used + bytes.length > capacity.bytesMax
      // The rest is read and dropped: the answer to a message comes after its end.
      if (isBusy || stream.sizeExceeded) {
        drop()
        continue
      }
      chunks.push(bytes)
      held += bytes.length
      capacity.used += bytes.length
    }
  } catch (error) {
    drop()
    throw error
  }
  if (stream.sizeExceeded) return { received: { kind: 'too_large' }, release: drop }
  if (isBusy) return { received: { kind: 'busy' }, release: drop }
  return { received: { kind: 'received', bytes: Buffer.concat(chunks) }, release: drop }
}
