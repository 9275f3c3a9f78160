/** The field for pasted numbers or rows, and the place where a file is dropped. */

import { type FormEvent, useState } from 'react'
import { DropZone } from '../parts/drop-zone.tsx'
import { trackWords as words } from '../words/track.ts'
import { readPasted } from './pasted-numbers.ts'

/** Of one batch, as the API has it. */
export const numbersMax = 1_000

interface NumbersFormProps {
  readonly onText: (text: string, reference: string) => void
  readonly onFile: (file: File, reference: string) => void
}

export function NumbersForm({ onText, onFile }: NumbersFormProps) {
  const [fault, setFault] = useState('')
  const [reference, setReference] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('numbers') ?? '')
    const count = readPasted(text).length
    if (count > numbersMax && !text.includes('\t')) setFault(words.tooMany(count, numbersMax))
    else if (count > 0) onText(text, reference.trim())
  }
  return (
    <form className="panel" onSubmit={submit}>
      <p>{words.about}</p>
      <label className="field">
        <span>{words.label}</span>
        <textarea name="numbers" rows={8} spellCheck={false} autoCapitalize="characters" required />
      </label>
      <label className="field reference">
        <span>{words.reference}</span>
        <input value={reference} onChange={(event) => setReference(event.target.value)} maxLength={200} />
      </label>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <p>
        <button type="submit" className="primary">
          {words.read}
        </button>
      </p>
      <DropZone
        label={words.drop}
        choose={words.choose}
        accept=".csv,.tsv,.txt,.xlsx"
        onFiles={([file]) => {
          if (file !== undefined) onFile(file, reference.trim())
        }}
      />
    </form>
  )
}
