/**
 * The service characters of UN/EDIFACT (ISO 9735): reading the ones that an interchange names in `UNA`, and writing
 * with them.
 */

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

/** Reads the nine characters from `UNA` on. Null when they are not ASCII: service characters always are. */
export function readServiceAdvice(advice: string): ServiceCharacters | null {
  if (!/^UNA[\0-\x7f]{6}$/is.test(advice)) return null
  const [component = '', element = '', , release = '', , terminator = ''] = advice.slice(3)
  return { component, element, release, terminator }
}

export function writeServiceAdvice(marks: ServiceCharacters): string {
  const { component, element, release, terminator } = marks
  return `UNA${component}${element}.${release} ${terminator}`
}

/** A blank as release character means that there is none. */
export function hasReleaseCharacter(marks: ServiceCharacters): boolean {
  return marks.release !== ' '
}

/** Empty components at the end of an element, and empty elements at the end of the segment, are left out. */
export function writeSegment(
  tag: string,
  elements: readonly (string | readonly string[])[],
  marks: ServiceCharacters = usualCharacters,
): string {
  const written = elements.map((element) =>
    withoutTail(typeof element === 'string' ? [element] : element)
      .map((component) => escapeText(component, marks))
      .join(marks.component),
  )
  return `${[tag, ...withoutTail(written)].join(marks.element)}${marks.terminator}`
}

function withoutTail(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

/** Escapes service characters in a text. Without a release character they are replaced by blanks. */
function escapeText(text: string, marks: ServiceCharacters): string {
  // Nearly all texts have only letters and digits, which are never service characters here.
  if (/^[A-Z0-9]*$/i.test(text) && marks === usualCharacters) return text
  const special = new Set<string>(Object.values(marks))
  const lead = hasReleaseCharacter(marks) ? marks.release : null
  return [...text]
    .map((one) => (one === ' ' || !special.has(one) ? one : lead === null ? ' ' : `${lead}${one}`))
    .join('')
}
