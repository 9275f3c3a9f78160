/**
 * The language in which statements of documents enter the ledger: one statement of one document, which only this
 * program writes.
 */

import { createHash } from 'node:crypto'
import { noEventCounts } from '../../../domain/tracking-requests/event-counts.ts'
import { ok } from '../../../domain/values/result.ts'
import type { DeliveryParts, MessagePart, PushedSource } from '../../pushed-source.ts'
import type { Reading } from '../../source.ts'
import { IssueList } from '../../source-issue.ts'
import {
  type DocumentStatement,
  findStatedNumbers,
  readDocumentStatement,
  writeDocumentStatement,
} from './document-statement.ts'
import { observationsOf } from './observations.ts'

export const documentsLanguage = 'documents'

export function openDocumentsSource(): PushedSource<null> {
  return {
    name: documentsLanguage,
    version: 2,
    parseProfile: () => ok(null),
    splitDelivery: toMessageParts,
    read: ({ body }) => readDocumentMessage(body),
  }
}

/**
 * The present statements of the document go to the parties that it is about now. Parties that only an earlier reading
 * was about receive the withdrawal, and nothing about the others.
 */
function toMessageParts(body: Buffer): DeliveryParts {
  const statement = readDocumentStatement(body)
  if (statement === null) {
    const faults = new IssueList(1)
    faults.add('wrong_structure', { path: '', lost: 'answer' }, 'this is not a statement of a document')
    return { parts: [], faults: faults.all() }
  }
  const now = findStatedNumbers(statement.fields)
  const named = new Set(now.map(({ number }) => number))
  const earlier = findStatedNumbers(statement.before.flatMap(({ fields }) => fields))
  const removed = uniqueNumbers(earlier.filter(({ number }) => !named.has(number)))
  const whole = { from: 0, to: body.length }
  const createMessagePart = (partStatement: DocumentStatement, about: MessagePart['about']): readonly MessagePart[] =>
    about.length === 0
      ? []
      : [
          {
            about,
            deliveryKey: createHash('sha256').update(writeDocumentStatement(partStatement)).digest('hex'),
            writtenAt: null,
            ranges: [whole],
            body: writeDocumentStatement(partStatement),
          },
        ]
  return {
    parts: [
      ...createMessagePart(statement, uniqueNumbers(now)),
      ...createMessagePart({ ...statement, isTakenBack: true }, removed),
    ],
    faults: [],
  }
}

function uniqueNumbers(about: MessagePart['about']): MessagePart['about'] {
  return [...new Map(about.map((each) => [`${each.kind} ${each.number}`, each])).values()]
}

function readDocumentMessage(body: Buffer): Reading {
  const statement = readDocumentStatement(body)
  const observations = statement === null ? [] : observationsOf(statement)
  const about =
    statement === null ? [] : findStatedNumbers([statement, ...statement.before].flatMap(({ fields }) => fields))
  const of = (kind: (typeof about)[number]['kind']): readonly string[] =>
    [...new Set(about.flatMap((each) => (each.kind === kind ? [each.number] : [])))].sort()
  return {
    outcome: observations.some(({ kind }) => kind === 'event') ? 'found' : 'known_without_data',
    observations,
    issues: [],
    withdrawn: [],
    statedFullPicture: false,
    about: { billNumbers: of('bill_of_lading'), bookingNumbers: of('booking'), equipment: of('container') },
    events: noEventCounts,
  }
}
