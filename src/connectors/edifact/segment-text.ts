/**
 * The text of a segment: decodes its bytes with the character set of the interchange, and cuts the text into elements
 * and components.
 */

import { isAscii } from 'node:buffer'
import { hasReleaseCharacter, type ServiceCharacters } from './service-characters.ts'

/** Syntax identifiers (0001) whose character set is neither ASCII, Latin-1 nor UTF-8. */
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

/** Bytes that are valid UTF-8 beyond ASCII are UTF-8 in practice, whatever character set is announced. */
export function decodeSegment(bytes: Buffer, charset: Decoder | null): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    // The decoder throws when the bytes are not UTF-8; it has no other way to report it.
    return (charset ?? latin1).decode(bytes)
  }
}

export function splitSegment(text: string, marks: ServiceCharacters): string[][] {
  const { component, element, release } = marks
  if (!hasReleaseCharacter(marks) || !text.includes(release))
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
