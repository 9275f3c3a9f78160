/** Defines a custom field, with its choices where it has some. */

import { type FormEvent, useState } from 'react'
import type { CustomFieldDefinition } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { useAct } from '../parts/use-act.ts'
import { shipmentWords } from '../words/shipment.ts'

const words = shipmentWords.customFields

export function NewField({ entityType }: { entityType: 'Shipment' | 'Container' }) {
  const connection = useConnection()
  const act = useAct()
  const [type, setType] = useState('short_text')
  const define = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const element = event.currentTarget
    const form = new FormData(element)
    const path = '/v2/custom_field_definitions'
    const attributes = {
      entity_type: entityType,
      display_name: String(form.get('name') ?? '').trim(),
      data_type: type,
    }
    const choices = String(form.get('options') ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
    void act(async () => {
      const data = { type: 'custom_field_definition', attributes }
      const made = (await connection.ask('POST', path, { data })) as { readonly data: CustomFieldDefinition }
      for (const [position, label] of choices.entries())
        await connection.ask('POST', `${path}/${made.data.id}/options`, {
          data: { type: 'custom_field_option', attributes: { label, value: label, position } },
        })
      element.reset()
    }, words.made)
  }
  return (
    <details>
      <summary>{words.new}</summary>
      <form className="stack" onSubmit={define}>
        <label className="field">
          <span>{words.name}</span>
          <input name="name" required maxLength={100} />
        </label>
        <label className="field">
          <span>{words.type}</span>
          <select value={type} onChange={(event) => setType(event.target.value)}>
            {Object.entries(words.types).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {type.startsWith('enum') && (
          <label className="field">
            <span>{words.options}</span>
            <input name="options" required />
          </label>
        )}
        <button type="submit">{words.make}</button>
      </form>
    </details>
  )
}
