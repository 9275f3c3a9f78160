/** The input of a custom field by its data type, and the value that is read from it. */

import { useId } from 'react'
import type { CustomFieldDefinition, CustomFieldOption } from '../../../sdk/typescript/src/description.generated.ts'
import { shipmentWords } from '../words/shipment.ts'

const words = shipmentWords.customFields
export type FieldValue = string | number | boolean | readonly string[] | null

interface FieldInputProps {
  readonly definition: CustomFieldDefinition
  readonly options: readonly CustomFieldOption[]
  readonly value: FieldValue
  readonly fault: string | null
}

export function FieldInput({ definition: { attributes }, options, value, fault }: FieldInputProps) {
  const id = useId()
  const { api_slug: name = '', display_name: label = name, data_type: type, validation } = attributes
  const shared = {
    name,
    'aria-invalid': fault !== null,
    ...(fault === null ? {} : { 'aria-describedby': `${id}-fault` }),
  }
  const title = (
    <>
      {label} {type === 'datetime' && <span className="code">{words.utc}</span>}
      {validation?.required === true && <em>{words.required}</em>}
    </>
  )
  const said = fault !== null && (
    <p id={`${id}-fault`} className="fault under" role="alert">
      {fault}
    </p>
  )
  if (type === 'enum_multi')
    return (
      <fieldset className="choices" {...(fault === null ? {} : { 'aria-describedby': `${id}-fault` })}>
        <legend>{title}</legend>
        {options.map(({ attributes: option }) => (
          <label key={option.value} className="check">
            <input
              type="checkbox"
              name={name}
              value={option.value}
              defaultChecked={Array.isArray(value) && value.includes(option.value ?? '')}
            />{' '}
            {option.label}
          </label>
        ))}
        {said}
      </fieldset>
    )
  const choices =
    type === 'boolean'
      ? [
          ['true', shipmentWords.yes],
          ['false', shipmentWords.no],
        ]
      : type === 'enum'
        ? options.map(({ attributes: option }) => [option.value ?? '', option.label ?? ''])
        : null
  return (
    <div className="field">
      <label htmlFor={id}>{title}</label>
      {choices !== null ? (
        <select id={id} {...shared} defaultValue={value === null ? '' : String(value)}>
          <option value="">{words.empty}</option>
          {choices.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...shared}
          type={inputTypes[type ?? ''] ?? 'text'}
          step="any"
          defaultValue={textOf(type, value)}
        />
      )}
      {said}
    </div>
  )
}

const inputTypes: Readonly<Record<string, string>> = {
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
}

/** A field for times shows UTC, in which the API keeps them. */
function textOf(type: string | undefined, value: FieldValue): string {
  if (value === null) return ''
  return type === 'datetime' ? String(value).slice(0, 16) : String(value)
}

/** Null: the field is empty. A text that is no number is sent as it is, so that the API says what is wrong. */
export function readInput({ attributes }: CustomFieldDefinition, form: FormData): FieldValue {
  const { api_slug: name = '', data_type: type } = attributes
  if (type === 'enum_multi') {
    const chosen = form.getAll(name).map(String)
    return chosen.length === 0 ? null : chosen
  }
  const text = String(form.get(name) ?? '').trim()
  if (text === '') return null
  if (type === 'boolean') return text === 'true'
  if (type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  return type === 'datetime' ? `${text}${text.length === 16 ? ':00' : ''}Z` : text
}
