/** The service characters of UN/EDIFACT (ISO 9735): which of them an interchange names in `UNA`, and writing with them. */

/** Each is one ASCII character. */
export interface ServiceCharacters {
  readonly component: string
  readonly element: string
  readonly release: string
  readonly terminator: string
}

export const usualCharacters: ServiceCharacters = {
  component: ':',
  element: '+',
  release: '?',
  terminator: "'",
}

/** The nine characters from `UNA` on; null when they cannot be meant, for text beyond ASCII has no service characters. */
export function readServiceAdvice(advice: string): ServiceCharacters | null {
  if (!/^UNA[\0-\x7f]{6}$/is.test(advice)) return null
  const [component = '', element = '', , release = '', , terminator = ''] = advice.slice(3)
  return { component, element, release, terminator }
}

export function writeServiceAdvice(marks: ServiceCharacters): string {
  const { component, element, release, terminator } = marks
  return `UNA${component}${element}.${release} ${terminator}`
}

/** A blank release character releases nothing. */
export function isReleasing(marks: ServiceCharacters): boolean {
  return marks.release !== ' '
}

/** Components that are empty at the end of an element, and elements at the end of the segment, are left out. */
export function writeSegment(
  tag: string,
  elements: readonly (string | readonly string[])[],
  marks: ServiceCharacters = usualCharacters,
): string {
  const written = elements.map((element) =>
    withoutTail(typeof element === 'string' ? [element] : element)
      .map((component) => released(component, marks))
      .join(marks.component),
  )
  return `${[tag, ...withoutTail(written)].join(marks.element)}${marks.terminator}`
}

function withoutTail(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

/** Where nothing can be released, a blank stands for what would be taken for a service character. */
function released(text: string, marks: ServiceCharacters): string {
  // As nearly all are: nothing that could be a service character but a letter or a figure.
  if (/^[A-Z0-9]*$/i.test(text) && marks === usualCharacters) return text
  const special = new Set<string>(Object.values(marks))
  const lead = isReleasing(marks) ? marks.release : null
  return [...text]
    .map((one) => (one === ' ' || !special.has(one) ? one : lead === null ? ' ' : `${lead}${one}`))
    .join('')
}
