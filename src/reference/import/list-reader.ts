/** Collects the content of a list row by row: records, refusals with line and field, and keys that occur twice. */

import type { ReadList, ReadRecord, RecordValues, Refusal } from './record.ts'

export interface RowReader {
  readonly refuseRow: (field: string, value: string, why: string) => void
  readonly refuseValue: (field: string, value: string, why: string) => void
  /** The first row of a key counts; a second one is refused. */
  readonly take: (values: RecordValues) => void
}

export class ListReader {
  #rows = 0
  readonly #records = new Map<string, ReadRecord>()
  readonly #refusals: Refusal[] = []

  row(line: number, key: string): RowReader {
    this.#rows += 1
    const refuse = (refused: Refusal['refused']) => (field: string, value: string, why: string) =>
      void this.#refusals.push({ line, key, field, value: value.slice(0, 80), why, refused })
    return {
      refuseRow: refuse('row'),
      refuseValue: refuse('value'),
      take: (values) => {
        const damaged = Object.entries(values).find(([, value]) => typeof value === 'string' && isDamaged(value))
        if (damaged !== undefined) {
          refuse('row')(
            damaged[0],
            String(damaged[1]),
            'it contains damaged letters: it was decoded with a wrong encoding',
          )
          return
        }
        const other = this.#records.get(key)
        if (other === undefined) this.#records.set(key, { key, values, line })
        else refuse('row')('key', key, `line ${other.line} has the same`)
      },
    }
  }

  result(): ReadList {
    return { rows: this.#rows, records: [...this.#records.values()], refusals: this.#refusals }
  }
}

/**
 * The text has a character that could not be decoded, or UTF-8 that was read as Latin-1 and encoded as UTF-8 again:
 * `GÃ¶teborg`.
 */
function isDamaged(text: string): boolean {
  return /\ufffd|[ÃÂ][\u0080-\u00bf]/u.test(text)
}
