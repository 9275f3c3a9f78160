/** The shape of an answer as it is stored, over all its pages. */

import { decodeBody } from '../../connectors/json-answer.ts'
import { readPages } from '../../connectors/pages.ts'
import type { RawSnapshot } from '../../connectors/source.ts'
import { shapeOf } from '../../domain/tracking-requests/answer-shape.ts'

/** The pages that are JSON. */
export function parsePages(snapshot: Pick<RawSnapshot, 'contentType' | 'body'>): readonly unknown[] {
  const { pages } = readPages({ status: 200, fetchedAt: '', ...snapshot })
  return pages.flatMap((page) => {
    try {
      return [JSON.parse(decodeBody(page)) as unknown]
    } catch {
      return []
    }
  })
}

/** Null when no page is JSON. */
export function shapeOfAnswer(snapshot: Pick<RawSnapshot, 'contentType' | 'body'>): ReadonlySet<string> | null {
  const pages = parsePages(snapshot)
  return pages.length === 0 ? null : new Set(pages.flatMap((page) => [...shapeOf(page)]))
}
