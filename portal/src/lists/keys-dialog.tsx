/** The keys of a list. */

import { useDialog } from '../parts/use-dialog.ts'
import { listWords } from '../words/lists.ts'
import { words } from '../words/words.ts'

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  return (
    <dialog ref={dialog} aria-label={listWords.keysTitle} onClose={onClose}>
      <h2>{listWords.keysTitle}</h2>
      <dl className="list-keys">
        {listWords.keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{words.close}</button>
      </form>
    </dialog>
  )
}
