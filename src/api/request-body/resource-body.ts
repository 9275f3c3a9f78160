/** Bodies of a new record and of a change to one: their schemas for the description, and how they are read. */

import type { Static, TSchema } from 'typebox'
import { bodyOf, changesBodyOf } from '../openapi/operation.ts'
import type { ResourceKind } from '../shape/resource-kind.ts'
import * as schema from '../shape/schema.ts'
import { readOnlyOf } from './attributes.ts'
import { readAttributes } from './body.ts'

export interface Body<Input> {
  readonly schema: TSchema
  /** `id` of the record in the address; null where it is new. */
  readonly read: (body: unknown, id: string | null) => Input
}

/** Makes the input of the verb from the checked attributes. Relationships are still in the body. */
type InputReader<Attributes extends TSchema, Input> = (given: Static<Attributes>, body: unknown) => Input
type Kind = Pick<ResourceKind<never>, 'type' | 'attributes'>

/** Relationships that are not named here are refused. */
export function defineCreateBody<Attributes extends TSchema, Input>(
  kind: Kind,
  attributes: Attributes,
  read: InputReader<Attributes, Input>,
  relationships: Readonly<Record<string, TSchema>> = {},
): Body<Input> {
  const names = Object.keys(relationships)
  const related = names.length === 0 ? undefined : schema.object(relationships)
  return {
    schema: bodyOf(kind.type, attributes, related),
    read: createReader(kind, attributes, read, names),
  }
}

/** Attributes that the body does not name are not changed. */
export function defineChangeBody<Attributes extends TSchema, Input>(
  kind: Kind,
  attributes: Attributes,
  read: InputReader<Attributes, Input>,
): Body<Input> {
  return { schema: changesBodyOf(kind.type, attributes), read: createReader(kind, attributes, read, []) }
}

function createReader<Attributes extends TSchema, Input>(
  kind: Kind,
  attributes: Attributes,
  read: InputReader<Attributes, Input>,
  relationships: readonly string[],
): Body<Input>['read'] {
  const readOnly = readOnlyOf(kind, attributes)
  const expected = { type: kind.type, attributes, readOnly, relationships }
  return (body, id) => read(readAttributes(body, { ...expected, id }), body)
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name

/** The members under the names that the code has for them: `company_name` of the wire is `companyName`. */
export function camelNames<Members extends object>(
  given: Members,
): { readonly [Name in keyof Members as CamelCase<Name>]: Members[Name] } {
  const entries = Object.entries(given).map(([name, value]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return Object.fromEntries(entries)
}
