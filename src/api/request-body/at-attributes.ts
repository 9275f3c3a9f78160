/**
 * The verbs about keys and members name a field as the forms of the pages do: `/email`. In a body of the API it is an
 * attribute.
 */

import { ServiceError } from '../../modules/errors.ts'

/** `names`: attributes whose names differ from those of the fields. */
export async function pointErrorsToAttributes<Result>(
  work: Promise<Result>,
  names: Readonly<Record<string, string>> = {},
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ServiceError) || error.source === null || !('pointer' in error.source)) throw error
    const field = error.source.pointer.slice(1)
    const { code, detail, meta } = error
    throw new ServiceError(code, detail, {
      source: { pointer: `/data/attributes/${names[field] ?? field}` },
      ...(meta === null ? {} : { meta }),
    })
  }
}
