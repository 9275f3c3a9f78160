/** Of which shipments a rule tells: the fields of the form, what they say, and the words of a rule that there is. */

import { useState } from 'react'
import type { AlertRule, CustomFieldDefinition } from '../../../sdk/typescript/src/description.generated.ts'
import type { Fault } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { useRead } from '../api/queries.ts'
import { FieldInput, readInput } from '../shipment/field-input.tsx'
import { attentionWords } from '../words/attention.ts'
import { faultAt, RuleField } from './rule-field.tsx'

const words = attentionWords.only
type Wanted = NonNullable<AlertRule['attributes']['shipments']>

/** Asked for when somebody opens the form, and not before. */
export function useRuleFields(isOn: boolean): {
  readonly definitions: readonly CustomFieldDefinition[]
  readonly joined: Joined | null
} {
  const { data } = useRead('/v2/custom_field_definitions', {
    query: { 'filter[entity_type]': 'Shipment', include: 'options', 'page[size]': 100 },
    isOn,
  })
  const definitions = (data?.data ?? []).map(({ attributes, ...rest }) => ({
    ...rest,
    attributes: {
      ...attributes,
      api_slug: `field:${attributes.api_slug}`,
      required: false,
      // A shipment with several choices is found by one of them.
      ...(attributes.data_type === 'enum_multi' ? { data_type: 'enum' as const } : {}),
    },
  }))
  return { definitions, joined: data === undefined ? null : new Joined(data) }
}

interface RuleShipmentsProps {
  readonly fields: ReturnType<typeof useRuleFields>
  readonly faults: readonly Fault[]
}

export function RuleShipments({ fields, faults }: RuleShipmentsProps) {
  const [port, setPort] = useState('')
  const isPort = /^[A-Z]{2}[A-Z2-9]{3}$/.test(port)
  const terminals = useRead('/v2/terminals', {
    query: { 'filter[port]': port, 'page[size]': 100 },
    isOn: isPort,
  })
  const lines = useRead('/v2/shipping_lines')
  const parties = useRead('/v2/parties', { query: { 'page[size]': 100 } })
  return (
    <fieldset className="stack">
      <legend>{words.title}</legend>
      <p className="quiet">{words.about}</p>
      <Choice
        name="scac"
        label={words.line}
        choices={(lines.data?.data ?? []).map(({ attributes }) => [
          attributes.scac ?? '',
          `${attributes.name} (${attributes.scac})`,
        ])}
      />
      <Choice
        name="customer_id"
        label={words.customer}
        choices={(parties.data?.data ?? []).map(({ id, attributes }) => [id, attributes.company_name ?? ''])}
      />
      <label className="field">
        <span>{words.tags}</span>
        <input name="tags" />
      </label>
      <RuleField
        faults={faults}
        at="shipments/port_of_discharge"
        label={words.port}
        name="port_of_discharge"
        maxLength={5}
        placeholder="USLAX"
        value={port}
        onChange={(event) => setPort(event.target.value.trim().toUpperCase())}
      />
      {isPort && (
        <Choice
          name="pod_terminal"
          label={words.terminal}
          choices={(terminals.data?.data ?? [])
            .filter(({ type }) => type === 'terminal')
            .map(({ id, attributes }) => [id, attributes.name ?? ''])}
        />
      )}
      {fields.definitions.map((definition) => (
        <FieldInput
          key={definition.id}
          definition={definition}
          options={fields.joined?.many(definition.relationships?.options) ?? []}
          value={null}
          fault={faultAt(faults, `shipments/custom_fields/${slugOf(definition)}`)}
        />
      ))}
    </fieldset>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [string, string])[]
}

function Choice({ name, label, choices }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select name={name}>
        <option value="">{words.any}</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function readRuleShipments(form: FormData, definitions: readonly CustomFieldDefinition[]): object {
  const texts = ['scac', 'customer_id', 'port_of_discharge', 'pod_terminal'].flatMap((name) => {
    const text = String(form.get(name) ?? '').trim()
    return text === '' ? [] : [[name, text] as const]
  })
  const tags = String(form.get('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const values = definitions.flatMap((definition) => {
    const value = readInput(definition, form)
    return value === null ? [] : [[slugOf(definition), value] as const]
  })
  return {
    ...Object.fromEntries(texts),
    ...(tags.length === 0 ? {} : { tags }),
    ...(values.length === 0 ? {} : { custom_fields: Object.fromEntries(values) }),
  }
}

function slugOf({ attributes }: CustomFieldDefinition): string {
  return (attributes.api_slug ?? '').slice('field:'.length)
}

/** Nothing for a rule that tells of all shipments. */
export function RuleConditions({ wanted }: { wanted: Wanted }) {
  const { scac, customer_id: customer, tags = [], port_of_discharge: port } = wanted
  const { pod_terminal: terminal, custom_fields: fields = {} } = wanted
  const party = useRead('/v2/parties/{id}', { ids: [customer ?? ''], isOn: !!customer })
  const place = useRead('/v2/terminals/{id}', { ids: [terminal ?? ''], isOn: !!terminal })
  const parts = [
    ...(scac ? [`${words.line} ${scac}`] : []),
    ...(customer ? [`${words.customer} ${party.data?.data.attributes.company_name ?? customer}`] : []),
    ...(tags.length > 0 ? [`${words.tagged} ${tags.join(', ')}`] : []),
    ...(port ? [`${words.portShort} ${port}`] : []),
    ...(terminal ? [`${words.terminal} ${place.data?.data.attributes.name ?? terminal}`] : []),
    ...Object.entries(fields).map(([slug, value]) => `${slug} = ${String(value)}`),
  ]
  return parts.length === 0 ? null : (
    <span className="under">
      {words.onlyOf} {parts.join(' · ')}
    </span>
  )
}
