/** What people state of a container: it enters as a source, is shown as one, and can be taken back. */

import type { FormEvent } from 'react'
import { useConnection, useRead } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { plain } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function PeopleState({ boxId }: { boxId: string }) {
  const connection = useConnection()
  const act = useAct()
  const found = useRead('/v2/containers/{id}/statements', { ids: [boxId] })
  const state = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [says, text, reason] = ['says', 'value', 'reason'].map((name) => String(form.get(name) ?? '').trim())
    const attributes = { says, value: valueIn(says ?? '', text ?? ''), reason: reason || null }
    void act(
      () =>
        connection.ask('POST', `/v2/containers/${boxId}/statements`, {
          data: { type: 'statement', attributes },
        }),
      words.saved,
    )
    event.currentTarget.reset()
  }
  const standing = (found.data?.data ?? []).filter(({ attributes }) => attributes.stands === true)
  return (
    <Panel title={words.people}>
      <p className="quiet">{words.peopleAbout}</p>
      {standing.length === 0 && <p className="quiet">{words.peopleNone}</p>}
      <ul className="plain-list">
        {standing.map(({ id, attributes }) => (
          <li key={id}>
            {words.says[attributes.says ?? ''] ?? plain(attributes.says ?? '')}:{' '}
            <strong>{String(attributes.value)}</strong>{' '}
            <button
              type="button"
              className="link"
              onClick={() =>
                void act(() => connection.ask('DELETE', `/v2/containers/${boxId}/statements/${id}`), words.saved)
              }
            >
              {words.peopleTakeBack}
            </button>
          </li>
        ))}
      </ul>
      <details>
        <summary>{words.peopleState}</summary>
        <form className="stack" onSubmit={state}>
          <label className="field">
            <span>{words.peopleWhat}</span>
            <select name="says">
              {Object.entries(words.says).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>{words.peopleValue}</span>
            <input name="value" required />
          </label>
          <label className="field">
            <span>{words.peopleReason}</span>
            <input name="reason" />
          </label>
          <button type="submit">{words.peopleState}</button>
        </form>
      </details>
    </Panel>
  )
}

function valueIn(says: string, text: string): string | boolean {
  if (says !== 'available') return text
  return /^(yes|true)$/i.test(text)
}
