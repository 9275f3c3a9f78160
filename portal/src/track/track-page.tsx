/** Paste one number or three hundred, or drop a table. Kind and line are found out; then the progress is shown. */

import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { trackWords as words } from '../words/track.ts'
import { FileImport } from './file-import.tsx'
import { NumbersForm } from './numbers-form.tsx'
import { NumbersTable } from './numbers-table.tsx'
import { readPasted } from './pasted-numbers.ts'
import './track.css'
import { type Batch, TrackProgress } from './track-progress.tsx'

type Step =
  | { readonly kind: 'paste' }
  | { readonly kind: 'choose'; readonly numbers: readonly string[]; readonly reference: string }
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'progress'; readonly batch: Batch }

export function TrackPage() {
  const { numbers: given = '' }: Readonly<Record<string, string>> = useSearch({ strict: false })
  const [step, setStep] = useState<Step>(
    given === '' ? { kind: 'paste' } : { kind: 'choose', numbers: readPasted(given), reference: '' },
  )
  const again = (): void => setStep({ kind: 'paste' })
  return (
    <div className="track-page">
      <h1>{words.title}</h1>
      {step.kind === 'paste' && (
        <NumbersForm
          onNumbers={(numbers, reference) => setStep({ kind: 'choose', numbers, reference })}
          onFile={(file) => setStep({ kind: 'file', file })}
        />
      )}
      {step.kind === 'choose' && (
        <NumbersTable
          numbers={step.numbers}
          reference={step.reference}
          onBatch={(batch) => setStep({ kind: 'progress', batch })}
          onAgain={again}
        />
      )}
      {step.kind === 'file' && <FileImport file={step.file} onAgain={again} />}
      {step.kind === 'progress' && <TrackProgress batch={step.batch} onAgain={again} />}
    </div>
  )
}
