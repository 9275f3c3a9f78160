/** What the reader can do when the key or the role does not allow a page: the API's sentence alone would be no help. */

import { Refusal } from '../api/connection.ts'
import { forgetKey } from '../api/credentials.ts'
import { useConnection } from '../api/queries.ts'
import { ProblemNote } from '../parts/problem.tsx'
import { administrationWords } from '../words/administration.ts'

const words = administrationWords.needs

export function NeedsAdmin({ error, again }: { error: Refusal; again: () => void }) {
  const { credentials } = useConnection()
  if (!(error instanceof Refusal) || error.status !== 403) return <ProblemNote error={error} again={again} />
  return (
    <section className="panel" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>{words[credentials.kind]}</p>
      {credentials.kind === 'key' && (
        <p className="buttons">
          <a
            className="button primary"
            href={`/sign-in?next=${encodeURIComponent(location.pathname)}`}
            onClick={forgetKey}
          >
            {words.signIn}
          </a>
          <button
            type="button"
            onClick={() => {
              forgetKey()
              location.reload()
            }}
          >
            {words.forget}
          </button>
        </p>
      )}
    </section>
  )
}
