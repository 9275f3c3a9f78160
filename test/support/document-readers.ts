/**
 * Readers of documents for tests of everything around them: a "PDF" is lines of text in brackets, `(bill=MEDU1)`. They
 * are quick, and a test can make them fail, throw and wait.
 */

import { readableTypes } from '../../src/connectors/papers/document.ts'
import { type Readers, useReaders } from '../../src/modules/documents/readers.ts'
import type { Service } from '../../src/modules/service.ts'

/** A file that `testReaders` understand. `type` is its kind. */
export function paper(type: string, ...lines: readonly string[]): Buffer {
  return Buffer.from(`%PDF-1.7\n${[type, ...lines].map((line) => `(${line})`).join('\n')}\n%%EOF`)
}

export function testReaders(service: Service, over: Partial<Readers> = {}): Readers {
  const readers: Readers = {
    readPagesApart: async (bytes) => {
      const text = bytes.toString('latin1')
      if (text.includes('(encrypted)')) return { ok: false, reason: 'encrypted', detail: 'The file is encrypted.' }
      const words = [...text.matchAll(/\((\S[^)]*)\)/g)].map(([, word = '']) => {
        return { text: word, confidence: 1, box: { left: 0.1, top: 0.1, right: 0.2, bottom: 0.2 } }
      })
      if (words.length === 0) return { ok: false, reason: 'no_text', detail: 'No word can be seen.' }
      return {
        ok: true,
        pages: [{ page: 1, width: 595, height: 842, origin: 'text', words, invisibleWords: 0 }],
      }
    },
    rotateImageApart: async (bytes, degrees) => {
      const turned = Buffer.concat([bytes, Buffer.from(`(turned=${degrees})`)])
      return { ok: true, bytes: turned, contentType: 'image/png' }
    },
    readDocument: (pages, as = null) => {
      const words = pages.flatMap((page) => page.words.map(({ text }) => text))
      const type = as ?? readableTypes.find((each) => words.includes(each)) ?? 'unknown'
      const given = (name: string) =>
        words.flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []))
      const [bill] = given('bill')
      const payload = {
        ...(bill === undefined ? {} : { bill_of_lading_number: bill }),
        containers: given('box').map((number) => ({ number })),
        references: given('ref'),
        ...(given('consignee').length === 0 ? {} : { consignee_name: given('consignee')[0] }),
      }
      const at = { confidence: 0.9, page: 1, box: { left: 0.1, top: 0.1, right: 0.2, bottom: 0.2 } }
      const fields =
        bill === undefined
          ? []
          : [{ name: 'bill_of_lading_number', value: bill, text: bill, ...at, by: 'rules' as const }]
      return { type, typeConfidence: 0.9, notes: `It says ${type}.`, payload, fields }
    },
    readByModel: async () => ({ kind: 'not_asked' }),
    findPickupNumber: () => null,
    numbersOf: ({ payload }) => {
      const said = payload as {
        readonly bill_of_lading_number?: string
        readonly containers?: readonly { readonly number: string }[]
        readonly references?: readonly string[]
      }
      return [
        ...(said.bill_of_lading_number === undefined
          ? []
          : [{ kind: 'bill_of_lading' as const, number: said.bill_of_lading_number }]),
        ...(said.containers ?? []).map(({ number }) => ({ kind: 'container' as const, number })),
        ...(said.references ?? []).map((number) => ({ kind: 'reference' as const, number })),
      ]
    },
    rulesVersion: 1,
    documentSchemas: readableTypes.map((documentType) => ({
      documentType,
      label: documentType,
      version: '2026-11-25',
      isCurrent: true,
      isDraft: false,
      activeAt: '2026-11-25T00:00:00.000Z',
      description: null,
      payload,
      createdAt: '2026-11-25T00:00:00.000Z',
    })),
    applyDocumentStatements: async () => {},
    ...over,
  }
  useReaders(service, readers)
  return readers
}

const payload = {
  type: 'object',
  properties: {
    bill_of_lading_number: { type: 'string' },
    containers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { number: { type: 'string' } },
        required: ['number'],
        additionalProperties: false,
      },
    },
    references: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
}
