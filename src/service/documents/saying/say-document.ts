/**
 * Makes what shipments hear of a document equal to what it says at present: as it was read, as a person corrected it, or
 * nothing once it is deleted. It enters by the way that everything said enters by. Whom it is meant for follows from the
 * numbers that the document names, not from the shipments to which a person linked it.
 */

import { type DocumentWord, parseWord, writeWord } from '../../../sources/documents/said/word.ts'
import { parseObject } from '../../../sources/json-delivery.ts'
import { noteWord, readLastWord } from '../../../store/inbound/document-words.ts'
import type { Actor } from '../../context.ts'
import { openBody, sealedWord } from '../../ground/sealed-bodies.ts'
import { takeIn } from '../../hearing/intake/take-in.ts'
import { journeyNow, type Service } from '../../service.ts'
import { documentsChannel } from './documents-channel.ts'
import { type DocumentSaid, fieldsSaid } from './fields-said.ts'
import { nextWords, type SaidBefore } from './next-words.ts'

export interface DocumentToSay {
  readonly account: { readonly id: string; readonly isFiction: boolean }
  readonly documentId: string
  /** Null: the document is deleted, and says nothing any more. `by`: who corrected or confirmed it, where known. */
  readonly said: (DocumentSaid & { readonly by?: Actor | null }) | null
}

const triesMax = 5

/** Returns how many words were said: 0 when the document says what it said before, or names no number. */
export async function sayDocument(service: Service, document: DocumentToSay): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await sayNext(service, document)
    } catch (error) {
      if (!(error instanceof SaidMeanwhile) || tries === triesMax) throw error
    }
  }
}

async function sayNext(service: Service, { account, documentId, said }: DocumentToSay): Promise<number> {
  const key = { accountId: account.id, documentId }
  const before = await readBefore(service, key)
  const { by = null } = said ?? {}
  const words = nextWords(before, {
    document: documentId,
    paper: said === null ? { type: 'unknown', fields: [] } : { type: said.type, fields: fieldsSaid(said) },
    at: said?.at ?? null,
    person: said?.isManual !== true || by === null ? null : personOf(by),
    now: journeyNow(service, account.isFiction),
  })
  if (words.length === 0) return 0
  const channel = await documentsChannel(service, account)
  for (const word of words) {
    const body = writeWord(word)
    await takeIn(service, channel, {
      body,
      contentType: 'application/json',
      idempotencyKey: null,
      alongside: async (db) => {
        const last = { version: word.version, saidAt: journeyNow(service, account.isFiction) }
        const sealed = sealedWord(service.vault, { id: documentId, body })
        if (!(await noteWord(db, { ...key, ...last, sealedWord: sealed }))) throw new SaidMeanwhile()
      },
    })
  }
  return words.length
}

/** Another process said another word of the document at the same time. */
class SaidMeanwhile extends Error {}

async function readBefore(
  service: Service,
  key: { readonly accountId: string; readonly documentId: string },
): Promise<SaidBefore | null> {
  const last = await readLastWord(service.pool, key)
  if (last === null) return null
  const place = { table: 'document_words', id: key.documentId } as const
  const body = openBody(service.vault, { kind: 'sealed', sealed: last.sealedWord }, place)
  return { word: getWord(body), saidAt: last.saidAt }
}

function getWord(body: Buffer): DocumentWord {
  const value = parseObject(body)
  const word = value === null ? null : parseWord(value)
  if (word === null) throw new Error('the last word of the document cannot be read')
  return word
}

function personOf(actor: Actor): NonNullable<DocumentWord['person']> {
  return { kind: actor.kind, id: actor.kind === 'system' ? null : actor.id }
}
