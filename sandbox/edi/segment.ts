/** One segment of UN/EDIFACT (ISO 9735) with the usual service characters. */

/** Components that are empty at the end of an element, and elements at the end of the segment, are left out. */
export function writeSegment(tag: string, elements: readonly (string | readonly string[])[]): string {
  const written = elements.map((element) =>
    withoutTail(typeof element === 'string' ? [element] : element)
      .map((component) => component.replace(/[:+?']/g, '?$&'))
      .join(':'),
  )
  return `${[tag, ...withoutTail(written)].join('+')}'`
}

function withoutTail(texts: readonly string[]): readonly string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}
