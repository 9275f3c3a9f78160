/** The shape of an answer as it is stored, over all its pages. */

import { readPages } from '../../connectors/pages.ts'
import type { RawSnapshot } from '../../connectors/source.ts'
import { shapeOf } from '../../domain/tracking-requests/answer-shape.ts'

/** The pages that are JSON. */
export function parsePages(snapshot: Pick<RawSnapshot, 'contentType' | 'body'>): readonly unknown[] {
  const { pages } = readPages({ status: 200, fetchedAt: '', ...snapshot })
  return pages.flatMap(({ body }) => {
    try {
      return [JSON.parse(body.toString().replace(/^\uFEFF/, '')) as unknown]
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
