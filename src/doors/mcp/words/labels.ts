/**
 * References and tags: the account's own people give them, often of several words (`PO 4711 A`). They come and go as they
 * are written, so that what an agent reads is what it may write back. What is as long as a sentence is fenced all the same,
 * for such things are copied from other people's papers.
 */

import { fence, withoutMarks } from './fence.ts'

const lengthMax = 60
/** Of letters alone: a command needs more. */
const plainWordsMax = 3
const plain = /^[\p{L}\p{N}#(][\p{L}\p{N} ._/#:&,()+*'-]*$/u

export function writeLabel(text: string): string {
  return text.length <= lengthMax && plain.test(text) && countWords(text) <= plainWordsMax
    ? text
    : fence(text)
}

export function writeLabels(texts: readonly string[]): readonly string[] {
  return texts.map(writeLabel)
}

function countWords(text: string): number {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/\p{N}/u.test(word)).length
}

/** What an agent sends: one that is known is meant even where it was shown fenced, and so changed or cut. */
export function readLabels(given: readonly string[], known: readonly string[]): readonly string[] {
  return given.map((each) => known.find((label) => label === each || shown(label) === each) ?? each)
}

function shown(label: string): string {
  return withoutMarks(writeLabel(label))
}
