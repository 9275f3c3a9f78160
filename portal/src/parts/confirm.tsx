/** Asks before something is destroyed. A native dialog: it holds the focus and closes with Escape. */

import { words } from '../words/words.ts'
import { useDialog } from './use-dialog.ts'

interface Question {
  readonly title: string
  readonly about: string
  readonly yes: string
  readonly onYes: () => void
  readonly onClose: () => void
}

export function Confirm({ title, about, yes, onYes, onClose }: Question) {
  const dialog = useDialog()
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby="confirm-title" onClose={onClose}>
      <h2 id="confirm-title">{title}</h2>
      <p>{about}</p>
      <form method="dialog">
        <button type="submit">{words.confirm.cancel}</button>
        <button type="submit" className="danger" onClick={onYes}>
          {yes}
        </button>
      </form>
    </dialog>
  )
}
