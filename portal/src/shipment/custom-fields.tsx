/** The account's own fields of a shipment or container: each edited by its type, and each fault at its field. */

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CustomField, CustomFieldDefinition } from '../../../sdk/typescript/src/description.generated.ts'
import { Refusal } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { useConnection, useRead } from '../api/queries.ts'
import { Panel } from '../parts/panel.tsx'
import { useSay } from '../parts/said-line.tsx'
import { shipmentWords } from '../words/shipment.ts'
import { FieldInput, readInput } from './field-input.tsx'
import { NewField } from './new-field.tsx'

const words = shipmentWords.customFields
const entityOf = { shipments: 'Shipment', containers: 'Container' } as const

export function CustomFields({ of, id }: { of: 'shipments' | 'containers'; id: string }) {
  const definitions = useRead('/v2/custom_field_definitions', {
    query: { 'filter[entity_type]': entityOf[of], include: 'options', 'page[size]': 100 },
  })
  const values = useRead(`/v2/${of}/{id}/custom_fields`, { ids: [id], query: { 'page[size]': 100 } })
  /** What the form showed when somebody began to change it. Later news waits, so that nothing of it is overwritten. */
  const [begun, setBegun] = useState<readonly CustomField[] | null>(null)
  if (definitions.data === undefined || values.data === undefined) return null
  const all = definitions.data.data
  const shown = begun ?? values.data.data
  return (
    <Panel title={words[of]}>
      {all.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <FieldsForm
          key={id}
          path={`/v2/${of}/${id}/custom_fields`}
          definitions={all}
          values={shown}
          joined={new Joined(definitions.data)}
          begin={() => setBegun(shown)}
          end={() => setBegun(null)}
        />
      )}
      <NewField entityType={entityOf[of]} />
    </Panel>
  )
}

interface FormProps {
  readonly path: string
  readonly definitions: readonly CustomFieldDefinition[]
  readonly values: readonly CustomField[]
  readonly joined: Joined
  readonly begin: () => void
  readonly end: () => void
}

function FieldsForm({ path, definitions, values, joined, begin, end }: FormProps) {
  const connection = useConnection()
  const queries = useQueryClient()
  const say = useSay()
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const valueAt = (slug: string) =>
    values.find(({ attributes }) => attributes.api_slug === slug)?.attributes.value ?? null
  const put = async (slug: string, value: unknown): Promise<void> => {
    if (value === null) await connection.ask('DELETE', `${path}/${encodeURIComponent(slug)}`)
    else
      await connection.ask('POST', path, {
        data: { type: 'custom_field', attributes: { api_slug: slug, value } },
      })
  }
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isSaving) return
    const form = new FormData(event.currentTarget)
    setSaving(true)
    try {
      await saveAll(form)
    } finally {
      setSaving(false)
    }
  }
  const saveAll = async (form: FormData): Promise<void> => {
    const found: Record<string, string> = {}
    for (const definition of definitions) {
      const { api_slug: slug = '' } = definition.attributes
      const value = readInput(definition, form)
      if (JSON.stringify(value) === JSON.stringify(valueAt(slug))) continue
      try {
        await put(slug, value)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        found[slug] = error.message
      }
    }
    setFaults(found)
    const count = Object.keys(found).length
    say(count === 0 ? shipmentWords.saved : words.faults(count))
    // What was typed into a field with a fault stays until it is mended.
    if (count > 0) return
    await queries.invalidateQueries()
    end()
  }
  return (
    <form className="stack" onChange={begin} onSubmit={(event) => void save(event)} noValidate>
      <fieldset className="frameless stack" disabled={isSaving}>
        {definitions.map((definition) => {
          const { api_slug: slug = '' } = definition.attributes
          const value = valueAt(slug)
          return (
            <FieldInput
              key={`${definition.id} ${JSON.stringify(value)}`}
              definition={definition}
              options={joined.many(definition.relationships?.options)}
              value={value}
              fault={faults[slug] ?? null}
            />
          )
        })}
      </fieldset>
      <button type="submit">{shipmentWords.save}</button>
    </form>
  )
}
