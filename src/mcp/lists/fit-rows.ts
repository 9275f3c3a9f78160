/**
 * How many rows an answer has where nobody has said how many or which members: as many as fit into 4 KB, so that a model
 * does not read a long table that it did not ask for.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { readPage } from '../tool/inputs.ts'

const answerBytes = 4_096
/** What a list has besides its rows: its counts, filters and contract. */
const frameBytes = 1_000

/** The first of the rows, at least one. `besides`: bytes of the rest of the answer. */
export function fitRows<Row>(rows: readonly Row[], besides = frameBytes): readonly Row[] {
  let left = answerBytes - besides
  const firstTooMany = rows.findIndex((row) => {
    left -= bytesOf(row) + 1
    return left < 0
  })
  return firstTooMany === -1 ? rows : rows.slice(0, Math.max(1, firstTooMany))
}

/** The last of the rows, at least one; `size` of them where it is given. */
export function fitLastRows<Row>(
  rows: readonly Row[],
  of: { readonly size: number | undefined; readonly besides: number },
) {
  if (of.size !== undefined) return rows.slice(-of.size)
  return fitRows(rows.toReversed(), of.besides).toReversed()
}

/** The UTF-8 bytes of a part of an answer. */
export function bytesOf(part: unknown): number {
  return Buffer.byteLength(JSON.stringify(part))
}

export interface FittingPage<Row> {
  readonly found: Page<Row>
  /** The rows as they are written. */
  readonly items: readonly unknown[]
  readonly page: PageRequest
}

/**
 * One page of a list. Where its size is not given, the rows of the first page that fit are the size of every page, so
 * that a page begins where the one before has ended. `isWhole`: the caller has said which members are wanted.
 */
export async function readFittingPage<Row>(
  input: Parameters<typeof readPage>[0],
  {
    isWhole,
    read,
    besides,
  }: {
    readonly isWhole: boolean
    readonly besides?: number
    readonly read: (page: PageRequest) => Promise<Omit<FittingPage<Row>, 'page'>>
  },
): Promise<FittingPage<Row>> {
  const wanted = readPage(input)
  if (isWhole || input.page_size !== undefined) return { ...(await read(wanted)), page: wanted }
  const { found, items } = await read({ ...wanted, number: 1 })
  const size = fitRows(items, besides).length
  const page = { number: wanted.number, size: size < items.length ? size : wanted.size }
  if (page.number > 1) return { ...(await read(page)), page }
  return { found: { ...found, rows: found.rows.slice(0, page.size) }, items: items.slice(0, page.size), page }
}
