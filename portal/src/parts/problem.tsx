/** What the reader sees when something could not be read: the API's own sentence, and what to do. */

import { Refusal } from '../api/connection.ts'
import { words } from '../words/words.ts'

export function ProblemNote({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  const isRefusal = error instanceof Refusal
  const text = error instanceof Error ? error.message : String(error)
  return (
    <div className="problem" role="alert">
      <h2>{isRefusal ? words.fault.title : words.fault.crashed}</h2>
      <p>{text}</p>
      {isRefusal && error.retryAfterS !== null && <p>{words.fault.rest(error.retryAfterS)}</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          {words.fault.again}
        </button>
      )}
    </div>
  )
}
