/** Objects of answers, member by member: the schema of each, and how it is written. */

import type { TObject, TSchema } from 'typebox'
import { Type } from '../../platform/json-schema.ts'

export type Members<Of> = Readonly<Record<string, readonly [schema: TSchema, write: (of: Of) => unknown]>>

/** The closed schema of such an object. */
export function schemaOf<Of>(members: Members<Of>): TObject {
  const schemas = Object.entries(members).map(([name, [schema]]) => [name, schema])
  return Type.Object(Object.fromEntries(schemas), { additionalProperties: false })
}

/** A member that is written as `undefined` is left out. */
export function writeMembers<Of>(members: Members<Of>, of: Of): Readonly<Record<string, unknown>> {
  const written = Object.entries(members).map(([name, [, write]]) => [name, write(of)] as const)
  return Object.fromEntries(written.filter(([, value]) => value !== undefined))
}
