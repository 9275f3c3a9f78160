/** What a row of a table of attributes has, and the JSON Schemas that most attributes share. */

type JsonSchema = Readonly<Record<string, unknown>>

export interface Attribute<Value> {
  readonly schema: JsonSchema
  /** Writes the value of what is shown. */
  readonly value: Value
  /** Whether `landfall migrate diff` compares it with what another installation shows. */
  readonly isCompared: boolean
}

/** The two kinds of rows: values that are made of `View`, and values that also need `Beside`. */
export function createAttributeMakers<View, Beside>() {
  type Make = (view: View, beside: Beside) => unknown
  return {
    compared: <Value extends Make>(schema: JsonSchema, value: Value): Attribute<Value> => ({
      schema,
      value,
      isCompared: true,
    }),
    /**
     * For ids, times of polls, values that users set (tags, references, customer), repetitions, and names beside a
     * code, which each service writes in its own way.
     */
    notCompared: <Value extends Make>(schema: JsonSchema, value: Value): Attribute<Value> => ({
      schema,
      value,
      isCompared: false,
    }),
  }
}

export function comparedNames(table: Readonly<Record<string, Attribute<unknown>>>): readonly string[] {
  return Object.entries(table).flatMap(([name, { isCompared }]) => (isCompared ? [name] : []))
}

/** A closed object; all its members are required. */
export function objectSchema(properties: Readonly<Record<string, object>>) {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false }
}

export const text = { type: 'string' }
export const textOrNull = { type: ['string', 'null'] }
export const texts = { type: 'array', items: text }
export const numberOrNull = { type: ['number', 'null'] }
export const boolean = { type: 'boolean' }
export const booleanOrNull = { type: ['boolean', 'null'] }
export const instant = { type: 'string', format: 'date-time' }
export const instantOrNull = { type: ['string', 'null'], format: 'date-time' }
export const zoneOrNull = {
  ...textOrNull,
  description: 'IANA time zone of the place; null where it is unknown.',
}
