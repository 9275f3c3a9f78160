// Writes the table of lines and events in docs/sources.md: what is read from each line's answer in
// test/connectors/dcsa/fixtures.
import { findShippingLine } from '../src/reference/shipping-lines.ts'
import { type LineStory, type Row, readLineStories } from '../test/connectors/dcsa/line-story.ts'

/** The counts come from the hand-written `line-….txt`. `lines.test.ts` checks these against the reader and the core. */
export function writeAnswers(): string {
  const stories = readLineStories()
  return [
    '',
    '| Line | Shape | Events | Read | Movements | with place | with milestone | not yet right | Documents | Events lost |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...stories.map(rowOf),
    '',
    'What becomes no milestone, and what is lost, each with why:',
    '',
    ...stories.flatMap(explain),
    '',
  ].join('\n')
}

function rowOf(story: LineStory): string {
  const { shape, events, rows } = story
  const movements = rows.filter(({ said }) => !isDocument(said))
  const counts = [
    events,
    events - lostEvents(story),
    movements.length,
    movements.filter(hasPlace).length,
    movements.filter(({ comesTo, today }) => today === null && !comesTo.startsWith('raw')).length,
    rows.filter(({ today }) => today !== null).length,
    rows.length - movements.length,
    lostEvents(story),
  ]
  const verified = shape === 'assumed' ? 'assumed, **unverified**' : shape
  return `| ${nameOf(story)} | ${verified} | ${counts.join(' | ')} |`
}

function explain(story: LineStory): readonly string[] {
  const { knownBy, rows, losses } = story
  const raw = rows.filter(({ comesTo, today }) => comesTo.startsWith('raw: ') && today === null)
  const reasons = [
    ...counted(raw.map(({ comesTo }) => comesTo.slice('raw: '.length))).map(
      ([why, count]) => `${count} × raw only: ${why}`,
    ),
    ...counted(losses.map(({ what, why }) => `lost is ${what}: ${why}`)).map(([why, count]) => `${count} × ${why}`),
    ...rows
      .filter(({ today }) => today !== null)
      .map(({ said, comesTo, today }) => `not yet right: ${whatOf(said)} is ${today}, should be ${comesTo}`),
  ]
  return [`- **${nameOf(story)}**, ${knownBy}.`, ...reasons.map((reason) => `  - ${reason}.`)]
}

function counted(texts: readonly string[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, same]) => [text, same.length])
}

function lostEvents({ losses }: LineStory): number {
  return losses.filter(({ what }) => what === 'the event').length
}

/**
 * What a cell says of the event, without empty parts and the number of the box. The cells of a row: time, event, place,
 * ship.
 */
function whatOf(said: string): string {
  const [, what = ''] = said.split(' | ')
  return what
    .split(' ')
    .filter((word) => word !== '-' && !/^[A-Z]{4}\d{7}$/.test(word))
    .join(' ')
}

function hasPlace({ said }: Row): boolean {
  const [, , where = ''] = said.split(' | ')
  return /^[A-Z]{2}[A-Z2-9]{3} /.test(where)
}

/** The event of a document has the document after the code, and no movement. */
function isDocument(said: string): boolean {
  const [, what = ''] = said.split(' | ')
  return whatOf(said).split(' ').length === 3 && what.endsWith(' - - -')
}

function nameOf({ scac, variant }: LineStory): string {
  const name = `${findShippingLine(scac)?.shortName ?? scac} (\`${scac}\`)`
  return variant === '' ? name : `${name}, ${variant}`
}
