/** The parts of a draft: its sentences, with the paragraph, heading and table that each belongs to. */

export interface Span {
  readonly from: number
  readonly to: number
}

export interface Sentence extends Span {
  readonly paragraph: number
  /** Number of the last heading before it. */
  readonly section: number
  readonly isHeading: boolean
  readonly isQuestion: boolean
  /** Of a row of a table: the first row. */
  readonly header: Span | null
}

/** A line ends a sentence, because drafts are lists and tables as often as prose. */
export function readSentences(draft: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  let [paragraph, section] = [0, 0]
  let header: Span | null = null
  for (const { 0: line, index } of draft.matchAll(/[^\n]+|\n(?=\n)/g)) {
    if (line.trim() === '') {
      paragraph += 1
      header = null
      continue
    }
    const isRow = /^\s*\|/.test(line)
    const isHeading = /^\s*(?:#{1,6} |\*\*[^*]{1,200}\*\*:?\s*$)|:\s*$/.test(line)
    if (isHeading) section += 1
    if (isRow) header ??= { from: index, to: index + line.length }
    else header = null
    for (const span of isRow ? [{ from: 0, to: line.length }] : splitLine(line)) {
      const isQuestion = line.slice(span.from, span.to).trimEnd().endsWith('?')
      const [from, to] = [index + span.from, index + span.to]
      sentences.push({
        from,
        to,
        paragraph,
        section,
        isHeading,
        isQuestion,
        header: from === header?.from ? null : header,
      })
    }
  }
  return sentences
}

/** After a full stop that a capital follows: `3 Dec. 2026` and `No. 5` go on. */
function splitLine(line: string): readonly Span[] {
  const ends = [...line.matchAll(/[.!?](?=\s+[\p{Lu}*(])/gu)].map(({ index }) => index + 1)
  const bounds = [0, ...ends, line.length]
  return bounds.slice(1).map((to, at) => ({ from: bounds[at] ?? 0, to }))
}

/** The part of the sentence around a place in it, between commas, brackets and cells. */
export function clauseAround(draft: string, sentence: Span, { from, to }: Span): Span {
  const before = draft.slice(sentence.from, from)
  const after = draft.slice(to, sentence.to)
  const begin = Math.max(...[',', ';', '(', ')', '|'].map((mark) => before.lastIndexOf(mark)), before.lastIndexOf('. '))
  const end = after.search(/[,;()|]/)
  return { from: sentence.from + begin + 1, to: end < 0 ? sentence.to : to + end }
}

/** The cell of the first row above a place in a table. */
export function headerCell(draft: string, { from, header }: Sentence, at: number): Span | null {
  if (header === null) return null
  const column = draft.slice(from, at).split('|').length - 1
  const cells = draft.slice(header.from, header.to).split('|')
  const begin = header.from + cells.slice(0, column).join('|').length + (column > 0 ? 1 : 0)
  return { from: begin, to: begin + (cells[column]?.length ?? 0) }
}
