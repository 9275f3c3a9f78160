/**
 * The language in which statements of documents enter the ledger: one statement of one document, which only this
 * program writes.
 */

import { createHash } from 'node:crypto'
import { nothingTold } from '../../../core/requests/understanding.ts'
import { ok } from '../../../core/values/result.ts'
import type { Reading } from '../../source.ts'
import { IssueList } from '../../source-issue.ts'
import type { Delivered, ToldPart, ToldSource } from '../../told.ts'
import { type DocumentWord, numbersSaid, readWord, writeWord } from './body.ts'
import { observationsOf } from './observations.ts'

export const documentsLanguage = 'documents'

export function openDocumentsSource(): ToldSource<null> {
  return {
    name: documentsLanguage,
    version: 1,
    parseProfile: () => ok(null),
    partsOf,
    read: ({ body }) => readPart(body),
  }
}

/**
 * What the document says now goes to those whom it is about now. Those whom only an earlier reading was about hear that
 * it is taken back, and nothing of the others.
 */
function partsOf(body: Buffer): Delivered {
  const word = readWord(body)
  if (word === null) {
    const faults = new IssueList(1)
    faults.add('wrong_structure', { path: '', lost: 'answer' }, 'this is not the word of a document')
    return { parts: [], faults: faults.all() }
  }
  const now = numbersSaid(word.fields)
  const named = new Set(now.map(({ number }) => number))
  const earlier = numbersSaid(word.before.flatMap(({ fields }) => fields))
  const gone = unique(earlier.filter(({ number }) => !named.has(number)))
  const whole = { from: 0, to: body.length }
  const part = (said: DocumentWord, about: ToldPart['about']): readonly ToldPart[] =>
    about.length === 0
      ? []
      : [
          {
            about,
            deliveryKey: createHash('sha256').update(writeWord(said)).digest('hex'),
            writtenAt: null,
            ranges: [whole],
            body: writeWord(said),
          },
        ]
  return {
    parts: [...part(word, unique(now)), ...part({ ...word, isTakenBack: true }, gone)],
    faults: [],
  }
}

function unique(about: ToldPart['about']): ToldPart['about'] {
  return [...new Map(about.map((each) => [`${each.kind} ${each.number}`, each])).values()]
}

function readPart(body: Buffer): Reading {
  const word = readWord(body)
  const observations = word === null ? [] : observationsOf(word)
  const about = word === null ? [] : numbersSaid([word, ...word.before].flatMap(({ fields }) => fields))
  const of = (kind: (typeof about)[number]['kind']): readonly string[] =>
    [...new Set(about.flatMap((each) => (each.kind === kind ? [each.number] : [])))].sort()
  return {
    verdict: observations.some(({ kind }) => kind === 'event') ? 'found' : 'known_without_data',
    observations,
    issues: [],
    withdrawn: [],
    statedFullPicture: false,
    about: { billNumbers: of('bill_of_lading'), bookingNumbers: of('booking'), equipment: of('container') },
    events: nothingTold,
  }
}
