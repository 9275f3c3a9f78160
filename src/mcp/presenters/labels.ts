/**
 * Reference numbers and tags. The account's own people write them, often with several words (`PO 4711 A`). They are
 * shown without marks, so that an agent can send back what it read. But a text as long as a sentence is fenced, because
 * such texts are copied from other people's documents.
 */

import { markForeignText, withoutMarks } from './fence.ts'

const lengthMax = 60
/** Maximum words made only of letters. An instruction needs more. */
const plainWordsMax = 3
const plain = /^[\p{L}\p{N}#(][\p{L}\p{N} ._/#:&,()+*'-]*$/u

export function writeLabel(text: string): string {
  return text.length <= lengthMax && plain.test(text) && countWords(text) <= plainWordsMax
    ? text
    : markForeignText(text)
}

export function writeLabels(texts: readonly string[]): readonly string[] {
  return texts.map(writeLabel)
}

function countWords(text: string): number {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/\p{N}/u.test(word)).length
}

/**
 * Maps what an agent sends to the known labels. A label that was shown fenced may have been changed or cut; it is
 * mapped to the original.
 */
export function readLabels(given: readonly string[], known: readonly string[]): readonly string[] {
  return given.map((each) => known.find((label) => label === each || displayedLabel(label) === each) ?? each)
}

function displayedLabel(label: string): string {
  return withoutMarks(writeLabel(label))
}
