/** Notes of people on a shipment. Nobody outside the account sees them, and they are in no shared link. */

import type { FormEvent } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Reading } from '../parts/reading.tsx'
import { useAct } from '../parts/use-act.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function ShipmentNotes({ shipmentId }: { shipmentId: string }) {
  const connection = useConnection()
  const act = useAct()
  const found = useRead('/v2/shipments/{id}/notes', { ids: [shipmentId] })
  const add = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim()
    if (text === '') return
    const data = { type: 'note', attributes: { text } }
    void act(() => connection.ask('POST', `/v2/shipments/${shipmentId}/notes`, { data }), words.saved)
    event.currentTarget.reset()
  }
  return (
    <Panel title={words.notes}>
      {found.data === undefined && <Reading />}
      {found.data?.data.length === 0 && <p className="quiet">{words.notesNone}</p>}
      <ul className="notes">
        {found.data?.data.map(({ id, attributes }) => (
          <li key={id}>
            <p className="note-text">{attributes.text}</p>
            <p className="quiet">
              {attributes.author?.name}, <Moment at={attributes.created_at} zone="reader" />{' '}
              <button
                type="button"
                className="link"
                onClick={() =>
                  void act(() => connection.ask('DELETE', `/v2/shipments/${shipmentId}/notes/${id}`), words.noteDeleted)
                }
              >
                {words.noteDelete}
              </button>
            </p>
          </li>
        ))}
      </ul>
      <form className="stack" onSubmit={add}>
        <label className="field">
          <span>{words.noteNew}</span>
          <textarea name="text" rows={2} />
        </label>
        <button type="submit">{words.noteAdd}</button>
      </form>
    </Panel>
  )
}
