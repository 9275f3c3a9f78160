/** What a page of the documentation lacks at its beginning: whom it is for, and an example. */

const readers = ['operators', 'integrators', 'contributors', 'agents', 'partners', 'everybody']
/** An example that begins further down is not seen without scrolling. */
const linesMax = 25

/** Sentences about what is missing; none for a page that has both. */
export function pageFaults(path: string, text: string): readonly string[] {
  const lines = text.split('\n')
  const first = lines.find((line) => line !== '' && !line.startsWith('# ')) ?? ''
  const names = first.startsWith('For ') && readers.some((reader) => first.includes(reader))
  const hasExample = lines.slice(0, linesMax).some((line) => line.startsWith('```'))
  return [
    ...(names ? [] : [`${path} does not say in its first paragraph for whom it is`]),
    ...(hasExample ? [] : [`${path} has no example in its first ${linesMax} lines`]),
  ]
}
