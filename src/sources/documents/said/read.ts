/** Reads the present word of a document: what it says, and what it said before and does not say any more. */

import { nothingTold } from '../../../core/requests/understanding.ts'
import { statementKeyOf } from '../../../core/statements/claims.ts'
import type { Observation } from '../../../core/statements/observation.ts'
import { openTally } from '../../event-tally.ts'
import { parseObject, withoutBlanks } from '../../json-delivery.ts'
import type { RawSnapshot, Reading } from '../../source.ts'
import { IssueList } from '../../source-issue.ts'
import type { ToldOf } from '../../told.ts'
import { observe } from './observe.ts'
import { type DocumentWord, parseWord } from './word.ts'

export function readWord({ body, fetchedAt }: RawSnapshot, { subject }: ToldOf): Reading {
  const value = parseObject(body)
  const word = value === null ? null : parseWord(value)
  if (word === null) return unreadable()
  const isOurs = word.numbers.some(
    ({ kind, number }) => kind === subject.kind && withoutBlanks(number) === withoutBlanks(subject.number),
  )
  const { stated, issues } = observe(word, word, fetchedAt)
  const said = stated.map(({ observation }) => observation)
  const observations = isOurs ? [...said, ...takenBack(word, said, fetchedAt)].toSorted(byKey) : []
  const tally = openTally()
  if (isOurs) tally.understood()
  else tally.setAside()
  return {
    verdict: !isOurs
      ? 'other_number'
      : said.some(({ kind }) => kind === 'event')
        ? 'found'
        : 'known_without_data',
    observations,
    issues: issues.all(),
    withdrawn: [],
    // What it leaves out is taken back by name, so that the order of hearing decides nothing.
    statedFullPicture: false,
    about: numbersOf(word),
    events: tally.counts(),
  }
}

/**
 * What earlier words of the document said and this one does not, as statements that are taken back. So it makes no
 * difference in which order the words of a document are heard.
 */
function takenBack(
  word: DocumentWord,
  said: readonly Observation[],
  heardAt: string,
): readonly Observation[] {
  const present = new Set(said.map(statementKeyOf))
  const gone = new Map<string, Observation>()
  for (const paper of word.earlier)
    for (const { observation } of observe(paper, word, heardAt).stated) {
      const key = statementKeyOf(observation)
      if (!present.has(key)) gone.set(key, { ...observation, isRetracted: true })
    }
  return [...gone.values()]
}

function byKey(a: Observation, b: Observation): number {
  return a.key < b.key ? -1 : 1
}

function numbersOf({ numbers }: DocumentWord): Reading['about'] {
  const of = (wanted: string) =>
    numbers.flatMap(({ kind, number }) => (kind === wanted ? [number] : [])).toSorted()
  return { billNumbers: of('bill_of_lading'), bookingNumbers: of('booking'), equipment: of('container') }
}

function unreadable(): Reading {
  const issues = new IssueList(1)
  issues.add('wrong_structure', { path: '', lost: 'answer' }, 'this is not the word of a document')
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const none = { observations: [], withdrawn: [], statedFullPicture: false, events: nothingTold }
  return { verdict: 'unrecognized', issues: issues.all(), about, ...none }
}
