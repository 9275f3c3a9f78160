/** Checks by JSON schemas. Ajv is a hundred files, so it is loaded with the first check; each schema is compiled once. */

import { createRequire } from 'node:module'
import type { Options, ValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

export function schemaCompiler(options: Options): <Value>(schema: object) => ValidateFunction<Value> {
  const compiled = new WeakMap<object, ValidateFunction>()
  let ajv: Ajv2020 | null = null
  return <Value>(schema: object) => {
    const known = compiled.get(schema)
    // safe: a schema is always requested with the type that it describes
    if (known !== undefined) return known as ValidateFunction<Value>
    ajv ??= loadAjv(options)
    const validate = ajv.compile<Value>(schema)
    compiled.set(schema, validate)
    return validate
  }
}

function loadAjv(options: Options): Ajv2020 {
  const loaded = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  return new loaded.Ajv2020({ ...options, validateSchema: false })
}
