/**
 * The syntax of UN/EDIFACT (ISO 9735): bytes to segments, elements and components, with the service characters that
 * `UNA` names. What breaks the syntax is reported with its place; what comes before it is read all the same.
 */

export interface Segment {
  readonly tag: string
  /** Elements after the tag, each of its components. */
  readonly elements: readonly (readonly string[])[]
  /** Its number in the interchange, from 1; `UNA` is none. */
  readonly number: number
}

export interface SyntaxFault {
  /** `count`: `UNT` says another number of segments than there are, and all were read. `syntax`: something was not. */
  readonly kind: 'syntax' | 'count'
  /** Of the segment, as in `Segment`. */
  readonly number: number
  /** Character of the text, from 0. */
  readonly offset: number
  readonly detail: string
}

export interface EdifactMessage {
  /** `BAPLIE`. */
  readonly type: string
  /** `D.95B`. */
  readonly version: string
  readonly reference: string
  /** Between `UNH` and `UNT`. */
  readonly segments: readonly Segment[]
}

export interface Interchange {
  readonly segments: readonly Segment[]
  readonly messages: readonly EdifactMessage[]
  readonly faults: readonly SyntaxFault[]
}

interface Marks {
  readonly component: string
  readonly element: string
  readonly release: string
  readonly terminator: string
}
const usualMarks: Marks = { component: ':', element: '+', release: '?', terminator: "'" }

export function isEdifact(text: string): boolean {
  return /^\uFEFF?\s*(?:UNA.{6}\s*)?UN[BH]/s.test(text)
}

/** Character sets in circulation are UTF-8 and Latin-1 (UNOC); what is not the first is the second. */
export function decodeEdifact(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

export function readInterchange(text: string): Interchange {
  const { marks, from } = readMarks(text)
  const { segments, faults } = readSegments(text, marks, from)
  const inMessages = readMessages(segments)
  return { segments, messages: inMessages.messages, faults: [...faults, ...inMessages.faults] }
}

/** The value of a component; empty when it is left out. */
export function componentOf(segment: Segment, element: number, component = 0): string {
  return segment.elements[element]?.[component] ?? ''
}

function readMarks(text: string): { readonly marks: Marks; readonly from: number } {
  const start = text.search(/[^\s\uFEFF]/)
  if (start === -1 || !text.startsWith('UNA', start)) return { marks: usualMarks, from: Math.max(0, start) }
  const [component = ':', element = '+', , release = '?', , terminator = "'"] = text.slice(
    start + 3,
    start + 9,
  )
  // A blank release character: nothing is escaped.
  return { marks: { component, element, release, terminator }, from: start + 9 }
}

function readSegments(
  text: string,
  marks: Marks,
  from: number,
): { readonly segments: readonly Segment[]; readonly faults: readonly SyntaxFault[] } {
  const segments: Segment[] = []
  const faults: SyntaxFault[] = []
  let elements: string[][] = [['']]
  let start = from
  let isEmpty = true
  const append = (characters: string): void => {
    const components = elements.at(-1)
    if (components === undefined) return
    components[components.length - 1] = (components.at(-1) ?? '') + characters
    isEmpty = false
  }
  const fault = (offset: number, detail: string): void => {
    faults.push({ kind: 'syntax', number: segments.length + 1, offset, detail })
  }
  const end = (): void => {
    const [head = [], ...rest] = elements
    const tag = head[0] ?? ''
    if (/^[A-Z][A-Z0-9]{2}$/.test(tag)) segments.push({ tag, elements: rest, number: segments.length + 1 })
    else fault(start, `"${tag.slice(0, 20)}" is no segment.`)
    elements = [['']]
    isEmpty = true
  }
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isEmpty && /\s/.test(character)) continue
    if (isEmpty) start = at
    if (character === marks.release && marks.release !== ' ') {
      at += 1
      if (at < text.length) append(text.charAt(at))
      else fault(at, 'The text ends after a release character.')
    } else if (character === marks.terminator) end()
    else if (character === marks.element) {
      elements.push([''])
      isEmpty = false
    } else if (character === marks.component) {
      elements.at(-1)?.push('')
      isEmpty = false
    }
    // Lines are wrapped by transports; no value has a line's end in it.
    else if (character !== '\n' && character !== '\r') append(character)
  }
  if (!isEmpty) fault(start, 'The text ends in the middle of a segment.')
  return { segments, faults }
}

function readMessages(segments: readonly Segment[]): Pick<Interchange, 'messages' | 'faults'> {
  const messages: EdifactMessage[] = []
  const faults: SyntaxFault[] = []
  let head: Segment | null = null
  let inside: Segment[] = []
  const close = (end: Segment | null): void => {
    if (head === null) return
    const reference = componentOf(head, 0)
    messages.push({
      type: componentOf(head, 1),
      version: `${componentOf(head, 1, 1)}.${componentOf(head, 1, 2)}`,
      reference,
      segments: inside,
    })
    const { number } = end ?? head
    if (end === null) {
      const detail = `Message ${reference} has no end (UNT).`
      faults.push({ kind: 'syntax', number, offset: -1, detail })
    } else if (Number(componentOf(end, 0)) !== inside.length + 2) {
      const said = componentOf(end, 0)
      const detail = `Message ${reference} has ${inside.length + 2} segments and says ${said}.`
      faults.push({ kind: 'count', number, offset: -1, detail })
    }
    head = null
    inside = []
  }
  for (const segment of segments) {
    if (segment.tag === 'UNH') {
      close(null)
      head = segment
    } else if (segment.tag === 'UNT') close(segment)
    else if (head !== null && segment.tag !== 'UNZ') inside.push(segment)
  }
  close(null)
  return { messages, faults }
}
