/**
 * The source of what documents say. Nobody outside sends in it: the service writes the present word of a document
 * whenever it changes, and the word enters like every message.
 */

import { isContainerNumber, isReferenceNumber } from '../../../core/values/identifiers.ts'
import { isObject } from '../../../core/values/json-value.ts'
import { ok, type Result, refused } from '../../../core/values/result.ts'
import { cutDelivery, inOrder, parseObject } from '../../json-delivery.ts'
import type { Delivered, SpokenOf, ToldSource } from '../../told.ts'
import { readWord } from './read.ts'
import { parseWord } from './word.ts'

/** The name of the language, and of no channel that anybody can send to. */
export const documentsSource = 'documents'

/** Maximum size of one word: a document of many boxes, with what its earlier words said. */
export const wordBytesMax = 16_000_000

export type DocumentsProfile = Readonly<Record<string, never>>

export function openDocumentsSource(): ToldSource<DocumentsProfile> {
  return {
    name: documentsSource,
    version: 1,
    parseProfile,
    partsOf,
    speakerOf: (body) => documentIn(body),
    read: readWord,
  }
}

function parseProfile(value: unknown): Result<DocumentsProfile, string> {
  return isObject(value) && Object.keys(value).length === 0
    ? ok({})
    : refused('a profile of documents must be {}')
}

function partsOf(body: Buffer): Delivered {
  return cutDelivery(body, {
    lists: [],
    bytesMax: wordBytesMax,
    spokenOf: (value, { path, issues }) => {
      const word = parseWord(value)
      const about = inOrder(word?.numbers.filter(isWhole) ?? [])
      if (word === null || about.length === 0) {
        const why = word === null ? 'this is not the word of a document' : 'the document names no number'
        issues.add('wrong_structure', { path, lost: 'event' }, why)
        return null
      }
      // It stands from when it comes, not from its date: a person may correct today what was written last month.
      return { about, words: [word.document, String(word.version)], writtenAt: null }
    },
  })
}

function isWhole({ kind, number }: SpokenOf): boolean {
  return kind === 'container' ? isContainerNumber(number) : isReferenceNumber(number)
}

function documentIn(body: Buffer): string | null {
  const value = parseObject(body)
  return value === null ? null : (parseWord(value)?.document ?? null)
}
