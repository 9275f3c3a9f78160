/** References and tags, which the account's people write themselves. */

import type { FormEvent } from 'react'
import type { Shipment } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { useAct } from '../parts/use-act.ts'
import { shipmentWords as words } from '../words/shipment.ts'

export function ShipmentReferences({ shipment }: { shipment: Shipment }) {
  const connection = useConnection()
  const act = useAct()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const list = (name: string): readonly string[] =>
      String(form.get(name) ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
    void act(
      () =>
        connection.ask('PATCH', `/v2/shipments/${shipment.id}`, {
          data: {
            type: 'shipment',
            id: shipment.id,
            attributes: { ref_numbers: list('references'), shipment_tags: list('tags') },
          },
        }),
      words.saved,
    )
  }
  const { ref_numbers: references, tags } = shipment.attributes
  return (
    <Panel title={words.references}>
      <form key={`${references} ${tags}`} className="stack" onSubmit={save}>
        <label className="field">
          <span>{words.referencesLabel}</span>
          <input name="references" defaultValue={(references ?? []).join(', ')} />
        </label>
        <label className="field">
          <span>{words.tagsLabel}</span>
          <input name="tags" defaultValue={(tags ?? []).join(', ')} />
        </label>
        <button type="submit">{words.save}</button>
      </form>
    </Panel>
  )
}
