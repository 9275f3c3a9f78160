/** Checks what a person writes of a document against the schema of its kind. */

import type { ErrorObject } from 'ajv'
import type { DocumentSchema } from '../../connectors/papers/schemas/schemas.ts'
import { schemaCompiler } from '../../platform/compile-schema.ts'
import type { Service } from '../service.ts'
import { currentSchemaOf } from './document-schemas.ts'

/** `pointer`: below the data, as `/containers/0/number`; empty for the complete data. */
export interface ManualFault {
  readonly pointer: string
  readonly detail: string
}

// `allErrors` costs time with hostile data, but bodies are small and the schemas are ours.
const compile = schemaCompiler({
  allErrors: true,
  strict: false,
  ownProperties: true,
  validateFormats: false,
})
const faultsMax = 20

export function findManualFaults(
  service: Service,
  type: string,
  data: Readonly<Record<string, unknown>>,
): readonly ManualFault[] {
  const schema = currentSchemaOf(service, type)
  if (schema === null)
    return [
      {
        pointer: '',
        detail: `A document of the kind \`${type}\` has no fields. Set another kind with \`document_type_manual\`.`,
      },
    ]
  const validate = compile(schema.payload)
  if (validate(data)) return []
  const faults = new Map<string, ManualFault>()
  for (const error of validate.errors ?? []) {
    const pointer = error.instancePath + extraPath(error)
    if (!faults.has(pointer)) faults.set(pointer, { pointer, detail: describeSchemaError(error, schema) })
  }
  return [...faults.values()].slice(0, faultsMax)
}

function extraPath({ params }: ErrorObject): string {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  return typeof name === 'string' ? `/${name.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}` : ''
}

function describeSchemaError(
  { keyword, message, params }: ErrorObject,
  { documentType, version }: DocumentSchema,
): string {
  const of = `the schema ${documentType}@${version}`
  if (keyword === 'additionalProperties') return `There is no field of this name in ${of}.`
  if (keyword === 'required') return `This field is needed in ${of}.`
  if (keyword === 'enum') return `This must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}.`
  return `This ${message ?? 'is not valid'}, says ${of}.`
}
