/**
 * The stored body of a delivery for one container: a small interchange with the separators of the delivery. Sender and
 * receiver are masked, and nothing about other containers is inside.
 */

import type { Message } from './messages.ts'
import { elementOf, type Segment } from './segments.ts'

/** `partSegments`: the segments between ST and SE that are about the container, in order. */
export function writeBody(delivery: Buffer, message: Message, partSegments: readonly Segment[]): Buffer {
  const { head, end, envelope } = message
  const { element, terminator } = head.separators
  const { interchange, group } = envelope
  const join = (elements: readonly string[]): Buffer =>
    Buffer.concat([Buffer.from(elements.join(String.fromCharCode(element)), 'latin1'), terminator])
  const isAll = partSegments.length === message.segments.length
  const trailer = join(['SE', `${partSegments.length + 2}`, elementOf(head, 2)])
  return Buffer.concat([
    ...(interchange === null ? [] : [maskHeader(bytesOf(delivery, interchange), interchange)]),
    ...(group === null ? [] : [join(maskGroupElements(group))]),
    bytesOf(delivery, head),
    ...partSegments.map((segment) => bytesOf(delivery, segment)),
    isAll && end !== null ? bytesOf(delivery, end) : trailer,
    ...(group === null ? [] : [join(['GE', '1', truncateElement(elementOf(group, 6))])]),
    ...(interchange === null ? [] : [join(['IEA', '1', truncateElement(elementOf(interchange, 13))])]),
  ])
}

function bytesOf(delivery: Buffer, { from, to }: Segment): Buffer {
  return delivery.subarray(from, to)
}

/**
 * Masks passwords (02, 04) and names (06, 08) of ISA. All bytes stay at their positions, because the positions show
 * which bytes are separators.
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
function maskGroupElements(group: Segment): readonly string[] {
  return group.elements
    .slice(0, 9)
    .map((text, index) => (index === 2 || index === 3 ? 'X'.repeat(Math.min(15, text.length)) : truncateElement(text)))
}

function truncateElement(text: string): string {
  return text.slice(0, 20)
}
