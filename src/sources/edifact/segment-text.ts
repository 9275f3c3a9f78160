/** The text of a segment: its bytes in the character set of the interchange, cut into elements and components. */

import { isAscii } from 'node:buffer'
import { isReleasing, type ServiceCharacters } from './service-characters.ts'

/** Of the syntax identifiers (0001) those that are neither ASCII, Latin-1 nor UTF-8. */
const charsets: Readonly<Record<string, string>> = {
  UNOD: 'iso-8859-2',
  UNOE: 'iso-8859-5',
  UNOF: 'iso-8859-7',
  UNOG: 'iso-8859-3',
  UNOH: 'iso-8859-4',
  UNOI: 'iso-8859-6',
  UNOJ: 'iso-8859-8',
  UNOK: 'iso-8859-9',
}
export type Decoder = InstanceType<typeof TextDecoder>
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const latin1 = new TextDecoder('latin1')

export function decoderOf(identifier: string): Decoder | null {
  const charset = charsets[identifier.trim().toUpperCase()]
  return charset === undefined ? null : new TextDecoder(charset)
}

/** Whatever is announced, what is well-formed UTF-8 beyond ASCII is nothing else in practice. */
export function decodeSegment(bytes: Buffer, charset: Decoder | null): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    // The decoder's only way of saying that it is not UTF-8.
    return (charset ?? latin1).decode(bytes)
  }
}

export function splitSegment(text: string, marks: ServiceCharacters): string[][] {
  const { component, element, release } = marks
  if (!isReleasing(marks) || !text.includes(release))
    return text.split(element).map((each) => (each.includes(component) ? each.split(component) : [each]))
  const elements: string[][] = []
  let components: string[] = []
  let part = ''
  for (let at = 0; at < text.length; at += 1) {
    const one = text.charAt(at)
    if (one === release) {
      at += 1
      part += text.charAt(at)
    } else if (one === element) {
      elements.push([...components, part])
      components = []
      part = ''
    } else if (one === component) {
      components.push(part)
      part = ''
    } else part += one
  }
  elements.push([...components, part])
  return elements
}
