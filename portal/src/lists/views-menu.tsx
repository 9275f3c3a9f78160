/** Saved views: a list with its filters, order and columns under a name, for oneself or for the whole account. */

import type { FormEvent } from 'react'
import type { SavedView } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { useAct } from '../parts/use-act.ts'
import { useDialog } from '../parts/use-dialog.ts'
import { ShareButton } from '../sharing/share-button.tsx'
import { listWords } from '../words/lists.ts'
import { words } from '../words/words.ts'
import { type ListState, valuesOf } from './list-state.ts'

export interface ViewsProps {
  readonly table: 'shipments' | 'containers'
  readonly state: ListState
}

export function ViewsMenu({ table, state, onClose }: ViewsProps & { onClose: () => void }) {
  const connection = useConnection()
  const act = useAct()
  const dialog = useDialog()
  const found = useRead('/v2/saved_views', { query: { 'page[size]': 100 } })
  const views = (found.data?.data ?? []).filter(({ attributes }) => attributes.table === table)
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const attributes = {
      name: String(form.get('name') ?? '').trim(),
      table,
      query: state.query,
      columns: state.columns ?? [],
      ...(form.get('shared') === 'on' ? { is_shared: true } : {}),
    }
    void act(
      () => connection.ask('POST', '/v2/saved_views', { data: { type: 'saved_view', attributes } }),
      listWords.viewSaved,
    )
    event.currentTarget.reset()
  }
  const use = ({ attributes }: SavedView): void => {
    const columns = (attributes.columns ?? []).join(',')
    state.replace({ ...valuesOf(attributes.query ?? {}), ...(columns === '' ? {} : { columns }) })
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} aria-label={listWords.views} onClose={onClose}>
      <h2>{listWords.views}</h2>
      {views.length === 0 && <p className="quiet">{listWords.viewsNone}</p>}
      <ul className="plain-list views">
        {views.map((view) => (
          <li key={view.id}>
            <button type="button" className="link" onClick={() => use(view)}>
              {view.attributes.name}
            </button>
            <ShareButton shared={{ type: 'saved_view', id: view.id }} name={view.attributes.name ?? ''} />
            <button
              type="button"
              className="bare"
              aria-label={listWords.viewDelete(view.attributes.name ?? '')}
              onClick={() =>
                void act(() => connection.ask('DELETE', `/v2/saved_views/${view.id}`), listWords.viewDeleted)
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <form className="stack" onSubmit={save}>
        <label className="field">
          <span>{listWords.viewName}</span>
          <input name="name" required maxLength={100} />
        </label>
        <label>
          <input type="checkbox" name="shared" /> {listWords.viewShared}
        </label>
        <button type="submit" className="primary">
          {listWords.viewSave}
        </button>
      </form>
      <form method="dialog">
        <button type="submit">{words.close}</button>
      </form>
    </dialog>
  )
}
