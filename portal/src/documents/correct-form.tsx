/** A person writes the values of a document instead of what was read. */

import { useState } from 'react'
import type { DocumentRepresentation } from '../../../sdk/typescript/src/description.generated.ts'
import { documentWords as words } from '../words/documents.ts'

interface CorrectFormProps {
  readonly read: DocumentRepresentation
  readonly onSave: (payload: unknown) => Promise<unknown>
}

export function CorrectForm({ read, onSave }: CorrectFormProps) {
  const [text, setText] = useState(JSON.stringify(read.attributes.payload ?? {}, null, 2))
  const [fault, setFault] = useState('')
  const save = (): void => {
    try {
      const payload: unknown = JSON.parse(text)
      setFault('')
      void onSave(payload)
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <details>
      <summary>{words.correct}</summary>
      <p className="quiet">{words.correctAbout}</p>
      <label className="field">
        <span className="unseen">{words.correct}</span>
        <textarea
          rows={14}
          spellCheck={false}
          value={text}
          aria-invalid={fault !== ''}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="button" onClick={save}>
        {words.save}
      </button>
    </details>
  )
}
