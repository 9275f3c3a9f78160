/** The body of a batch. `data` is a list, and each item is read as if it were sent alone. */

import type { TSchema } from 'typebox'
import { Problem, pointerFault, problemOf } from '../../api/errors/problem.ts'
import * as schema from '../../api/shape/schema.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { Type } from '../../platform/json-schema.ts'
import type { ItemError } from './request-batches-sql.ts'

/** `hasDryRun`: whether `meta.dry_run` may be set. */
export function batchBody(item: TSchema, max: number, hasDryRun: boolean): TSchema {
  const meta = schema.object({
    dry_run: schema.optional(Type.Boolean({ description: 'True: everything is checked, and nothing is stored.' })),
  })
  return schema.object({
    data: schema.list(item, { minItems: 1, maxItems: max }),
    ...(hasDryRun ? { meta: schema.optional(meta) } : {}),
  })
}

export interface BatchBody {
  readonly items: readonly unknown[]
  readonly isDryRun: boolean
}

export function readBatchBody(body: unknown, max: number): BatchBody {
  const { data, meta, ...others } = isObject(body) ? body : {}
  if (!Array.isArray(data)) throw pointerFault('malformed', '/data', 'The body needs a `data` list.')
  if (data.length < 1 || data.length > max)
    throw pointerFault('invalid', '/data', `A batch has 1 to ${max} items; this one has ${data.length}.`)
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw pointerFault('invalid', `/${other.slice(0, 80)}`, 'A batch has `data` and `meta`, no more.')
  return { items: data, isDryRun: readDryRun(meta) }
}

function readDryRun(meta: unknown): boolean {
  if (meta === undefined) return false
  const { dry_run: isDryRun = false, ...others } = isObject(meta) ? meta : { meta }
  if (typeof isDryRun !== 'boolean' || Object.keys(others).length > 0)
    throw pointerFault('invalid', '/meta', '`meta` may only contain `dry_run`, which is true or false.')
  return isDryRun
}

/** The faults of one item whose reading was refused. Other errors are thrown again. */
export function errorsOf(error: unknown): readonly ItemError[] {
  if (!(error instanceof Problem)) throw error
  const { code, faults } = problemOf(error)
  return faults.map(({ detail, source }) => ({
    code,
    detail,
    pointer: source !== undefined && 'pointer' in source ? source.pointer : null,
  }))
}
