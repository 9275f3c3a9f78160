/** The field for pasted numbers, and the place where a file is dropped. */

import { type FormEvent, useState } from 'react'
import { DropZone } from '../parts/drop-zone.tsx'
import { trackWords as words } from '../words/track.ts'
import { readPasted } from './pasted-numbers.ts'

/** Of one batch, as the API has it. */
const numbersMax = 1_000

interface NumbersFormProps {
  readonly onNumbers: (numbers: readonly string[], reference: string) => void
  readonly onFile: (file: File) => void
}

export function NumbersForm({ onNumbers, onFile }: NumbersFormProps) {
  const [fault, setFault] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const numbers = readPasted(String(form.get('numbers') ?? ''))
    if (numbers.length > numbersMax) setFault(words.tooMany(numbers.length, numbersMax))
    else if (numbers.length > 0) onNumbers(numbers, String(form.get('reference') ?? '').trim())
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
        <input name="reference" maxLength={200} />
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
          if (file !== undefined) onFile(file)
        }}
      />
    </form>
  )
}
