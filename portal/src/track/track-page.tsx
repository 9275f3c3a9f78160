/** Paste numbers or rows, or drop a table. Kind and line are found; then the same rows show what became of them. */

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trackWords as words } from '../words/track.ts'
import { NumbersForm } from './numbers-form.tsx'
import { NumbersTable } from './numbers-table.tsx'
import { isTable, readPasted } from './pasted-numbers.ts'
import type { NewRow } from './rows.ts'
import { TableNumbers } from './table-numbers.tsx'
import './track.css'

type Step =
  | { readonly kind: 'paste' }
  | { readonly kind: 'numbers'; readonly rows: readonly NewRow[] }
  /** `text`: what was pasted; null for a file. */
  | { readonly kind: 'table'; readonly table: File; readonly text: string | null; readonly reference: string }

export function TrackPage() {
  const { numbers: given = '' }: Readonly<Record<string, string>> = useSearch({ strict: false })
  const [step, setStep] = useState<Step>(given === '' ? { kind: 'paste' } : listOf(given, ''))
  const again = (): void => setStep({ kind: 'paste' })
  return (
    <div className="track-page">
      <h1>{words.title}</h1>
      {step.kind === 'paste' && (
        <NumbersForm
          onText={(text, reference) =>
            setStep(isTable(text) ? { kind: 'table', table: tableOf(text), text, reference } : listOf(text, reference))
          }
          onFile={(table, reference) => setStep({ kind: 'table', table, text: null, reference })}
        />
      )}
      {step.kind === 'table' && (
        <TableNumbers
          {...step}
          // A text in which no column is recognised may still be a list.
          onUnreadable={step.text === null ? null : () => setStep(listOf(step.text ?? '', step.reference))}
          onAgain={again}
        />
      )}
      {step.kind === 'numbers' && <NumbersTable rows={step.rows} onAgain={again} />}
    </div>
  )
}

function listOf(text: string, reference: string): Step {
  const refs = reference === '' ? [] : [reference]
  return { kind: 'numbers', rows: readPasted(text).map((pasted) => ({ ...pasted, refs })) }
}

/** Spreadsheets divide the cells that they copy by tabs. */
function tableOf(text: string): File {
  return new File(text.includes('\t') ? [`sep=\t\n${text}`] : [text], words.pasted)
}
