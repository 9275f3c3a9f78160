/** Tries an access with a number, shows what came back, and stores it. Secrets are only in the fields of the form. */

import { type FormEvent, useId, useRef, useState } from 'react'
import { Refusal } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { connectionWords } from '../words/connections.ts'
import type { TargetNeeds } from './connection-guide.tsx'
import { type Trial, TrialResult } from './trial-result.tsx'

const words = connectionWords.form
type Members = Readonly<Record<string, unknown>>
/** These have several lines (PEM). */
const longSecrets = ['privateKey', 'certificate']

export function ConnectionForm({ target, hasStored }: { target: TargetNeeds; hasStored: boolean }) {
  const connection = useConnection()
  const act = useAct()
  const form = useRef<HTMLFormElement>(null)
  const [isStored, setStored] = useState(hasStored)
  const [secretNames, setSecretNames] = useState(target.secret_names)
  const [isAsking, setAsking] = useState(false)
  const [fault, setFault] = useState('')
  const [trial, setTrial] = useState<Trial | null>(null)

  const send = async (save: boolean | undefined): Promise<Trial | null> => {
    if (form.current === null || !form.current.reportValidity()) return null
    setAsking(true)
    setFault('')
    setTrial(null)
    try {
      const body = { ...readForm(new FormData(form.current), target, isStored ? null : secretNames), save }
      const answer = (await connection.ask('POST', '/v2/connections', body)) as Trial
      setTrial(answer)
      return answer
    } catch (error) {
      const names = error instanceof Refusal ? error.faults[0]?.meta?.['secret_names'] : null
      if (Array.isArray(names)) setSecretNames(names as readonly string[])
      setFault(error instanceof Error ? error.message : String(error))
      return null
    } finally {
      setAsking(false)
    }
  }
  const attempt = (event: FormEvent): void => {
    event.preventDefault()
    // A stored access that works again is stored again, which ends its pause.
    void send(isStored ? undefined : false)
  }
  const store = (): Promise<boolean> =>
    act(
      async () => {
        const answer = await send(true)
        if (!answer?.saved) return false
        form.current?.reset()
        setStored(true)
        return true
      },
      (isDone) => (isDone ? connectionWords.result.stored : ''),
    )
  return (
    <Panel title={words.title(target.name)}>
      <form ref={form} className="stack" autoComplete="off" onSubmit={attempt}>
        {(hasStored || isStored) && (
          <label className="check">
            <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.target.checked)} />{' '}
            {words.stored}
          </label>
        )}
        {!isStored && (
          <>
            {secretNames.map((name) => (
              <SecretField key={name} name={name} />
            ))}
            {target.profile_fields.map((path) => (
              <label key={path} className="field">
                <span>{words.field(path)}</span>
                <input name={`field ${path}`} required spellCheck={false} />
              </label>
            ))}
            <details className="field">
              <summary>{words.more}</summary>
              <label className="field">
                <span>{words.moreAbout}</span>
                <textarea name="more" rows={5} spellCheck={false} className="json" />
              </label>
            </details>
          </>
        )}
        <label className="field">
          <span>{words.number}</span>
          <input name="number" required maxLength={40} spellCheck={false} autoComplete="off" />
        </label>
        {target.kind === 'shipping_line' && (
          <label className="field">
            <span>{words.kind}</span>
            <select name="kind">
              {Object.entries(words.numberKinds).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
        {target.billed && (
          <label className="check">
            <input type="checkbox" name="pay" required /> {words.pay}
          </label>
        )}
        <button type="submit" className="primary" disabled={isAsking}>
          {words.try}
        </button>
      </form>
      <div role="status">
        {isAsking && (
          <p className="trial-asking">
            {words.asking(target.name)} <progress aria-label={words.asking(target.name)} />
          </p>
        )}
        {trial !== null && <TrialResult trial={trial} />}
      </div>
      {fault !== '' && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {trial?.works === true && trial.saved === null && (
        <>
          <p className="quiet">{words.storeAbout}</p>
          <button type="button" className="primary" disabled={isAsking} onClick={() => void store()}>
            {words.store}
          </button>
        </>
      )}
    </Panel>
  )
}

function SecretField({ name }: { name: string }) {
  const id = useId()
  const of = { id, name: `secret ${name}`, required: true, autoComplete: 'off', spellCheck: false }
  return (
    <div className="field">
      <label htmlFor={id}>{words.secret(name)}</label>
      {longSecrets.includes(name) ? (
        <textarea {...of} rows={4} className="secret" />
      ) : (
        <input {...of} type="password" />
      )}
    </div>
  )
}

/** `secretNames` null: the stored secrets are used. Throws for JSON that is wrong. */
function readForm(form: FormData, target: TargetNeeds, secretNames: readonly string[] | null): Members {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const kind = text('kind')
  return {
    target: target.id,
    number: text('number'),
    ...(kind === '' ? {} : { kind }),
    ...(form.has('pay') ? { pay: true } : {}),
    ...(secretNames !== null && {
      secrets: Object.fromEntries(secretNames.map((name) => [name, text(`secret ${name}`)])),
      profile: target.profile_fields.reduce(
        (profile, path) => setAt(profile, path.split('.'), readValue(text(`field ${path}`))),
        readMore(text('more')),
      ),
    }),
  }
}

function readMore(text: string): Members {
  const value = text === '' ? {} : readValue(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(words.moreWrong)
  return value as Members
}

/** An object or a list is written as JSON, anything else as it is. */
function readValue(text: string): unknown {
  if (!/^[{[]/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error(words.moreWrong)
  }
}

function setAt(whole: Members, [step = '', ...rest]: readonly string[], value: unknown): Members {
  return { ...whole, [step]: rest.length === 0 ? value : setAt((whole[step] ?? {}) as Members, rest, value) }
}
