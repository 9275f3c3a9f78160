/** For a reader who is not signed in: a link to sign in, or a field for an API key. */

import { type FormEvent, useState } from 'react'
import { Connection, Refusal } from '../api/connection.ts'
import { forgetKey, keepKey } from '../api/credentials.ts'
import { words } from '../words/words.ts'

export function KeyForm({ why = '' }: { why?: string }) {
  const [fault, setFault] = useState(why)
  const use = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    try {
      await new Connection({ kind: 'key', key }).read('/v2/shipping_lines')
      keepKey(key)
      location.reload()
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) forgetKey()
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <main className="key-form">
      <h1>{words.product}</h1>
      <p className="quiet">{words.motto}</p>
      <section className="panel">
        <h2>{words.key.title}</h2>
        <p>{words.key.about}</p>
        <p>
          <a className="button primary" href={`/sign-in?next=${encodeURIComponent(location.pathname)}`}>
            {words.key.signIn}
          </a>
        </p>
        <form onSubmit={(event) => void use(event)}>
          <label htmlFor="key">{words.key.label}</label>
          <input
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
            aria-invalid={fault !== ''}
            aria-describedby="key-about"
          />
          <p id="key-about" className="quiet">
            {words.key.kept} {words.key.where}
          </p>
          {fault !== '' && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <button type="submit">{words.key.use}</button>
        </form>
      </section>
    </main>
  )
}
