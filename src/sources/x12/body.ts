/**
 * What is kept of a delivery for one box: a small interchange with the separators of the delivery. Sender and receiver
 * are masked, and nothing about other boxes is inside.
 */

import { elementOf, type Segment } from './interchange.ts'
import type { Message } from './messages.ts'

/** `own`: the segments between ST and SE that are about the box, in order. */
export function writeBody(delivery: Buffer, message: Message, own: readonly Segment[]): Buffer {
  const { head, end, envelope } = message
  const { element, terminator } = head.separators
  const { interchange, group } = envelope
  const join = (elements: readonly string[]): Buffer =>
    Buffer.concat([Buffer.from(elements.join(String.fromCharCode(element)), 'latin1'), terminator])
  const isAll = own.length === message.segments.length
  const trailer = join(['SE', `${own.length + 2}`, elementOf(head, 2)])
  return Buffer.concat([
    ...(interchange === null ? [] : [maskHeader(bytesOf(delivery, interchange), interchange)]),
    ...(group === null ? [] : [join(groupElements(group))]),
    bytesOf(delivery, head),
    ...own.map((segment) => bytesOf(delivery, segment)),
    isAll && end !== null ? bytesOf(delivery, end) : trailer,
    ...(group === null ? [] : [join(['GE', '1', short(elementOf(group, 6))])]),
    ...(interchange === null ? [] : [join(['IEA', '1', short(elementOf(interchange, 13))])]),
  ])
}

function bytesOf(delivery: Buffer, { from, to }: Segment): Buffer {
  return delivery.subarray(from, to)
}

/**
 * Masks passwords (02, 04) and names (06, 08) of ISA. All bytes keep their places, because the places show which bytes
 * are separators.
 */
function maskHeader(bytes: Buffer, { separators }: Segment): Buffer {
  const masked = Buffer.from(bytes)
  const [blank, mask] = [0x20, 0x58]
  let element = 0
  for (const [index, byte] of bytes.entries()) {
    if (byte === separators.element) element += 1
    else if (element === 2 || element === 4) masked[index] = blank
    else if ((element === 6 || element === 8) && byte !== blank) masked[index] = mask
  }
  return masked
}

/** Masks sender and receiver of the group (second and third element) and shortens elements that are too long. */
function groupElements(group: Segment): readonly string[] {
  return group.elements
    .slice(0, 9)
    .map((text, index) => (index === 2 || index === 3 ? 'X'.repeat(Math.min(15, text.length)) : short(text)))
}

function short(text: string): string {
  return text.slice(0, 20)
}
