/**
 * Checks the arguments of tools against their schema. The messages name the argument and what it may be. Two things are
 * accepted that no schema lists: `intent`, in which clients write why they ask, and null for a missing argument.
 */

import { fromJsonSchema } from '@modelcontextprotocol/server'
import { Ajv, type ErrorObject } from 'ajv'
import type { TObject } from 'typebox'
import { findSimilarWord } from '../../domain/geography/nearest.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { toListedInput } from '../tool/schema.ts'
import type { Tool } from '../tool/tool.ts'

const ajv = new Ajv({ allErrors: true, strict: false })
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
const faultsMax = 5

/** A schema for the SDK: it lists the tool's schema, and uses our own check. */
export function makeInputSchema({ input, name }: Pick<Tool, 'input' | 'name'>, filters: readonly string[] = []) {
  const listed = fromJsonSchema<unknown>(toListedInput(input))
  const validate = ajv.compile(input)
  return {
    '~standard': {
      ...listed['~standard'],
      validate: (sent: unknown) => {
        const value = dropIntentAndNulls(sent)
        if (validate(value)) return { value }
        const messages = (validate.errors ?? [])
          .slice(0, faultsMax)
          .map((error) => describeError(error, { name, input, filters }))
        return { issues: [{ message: [...new Set(messages)].join(' ') }] }
      },
    },
  }
}

function dropIntentAndNulls(sent: unknown): unknown {
  if (!isObject(sent)) return sent
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => name !== 'intent' && value !== null))
}

interface CheckedTool {
  readonly name: string
  readonly input: TObject
  /** The filters that the tool accepts in `filters`. */
  readonly filters: readonly string[]
}

function describeError({ keyword, params, instancePath }: ErrorObject, checked: CheckedTool): string {
  const argument = `\`${nameOf(instancePath)}\``
  const limit = String(params['limit'])
  switch (keyword) {
    case 'additionalProperties':
      return unknownArgument(String(params['additionalProperty']).slice(0, 60), checked)
    case 'required':
      return `\`${params['missingProperty']}\` is missing.`
    case 'enum':
      return `${argument} is one of ${(params['allowedValues'] as unknown[]).join(', ')}.`
    case 'type':
      return `${argument} must be ${[params['type']]
        .flat()
        .map((kind) => kinds[String(kind)])
        .join(' or ')}.`
    case 'format':
      return `${argument} must be a ${params['format']}, as search_container and the lists give it.`
    case 'minimum':
      return `${argument} must be ${limit} or more.`
    case 'maximum':
      return `${argument} must be ${limit} or less.`
    case 'minLength':
      return limit === '1' ? `${argument} is empty.` : `${argument} needs ${limit} characters or more.`
    case 'maxLength':
      return `${argument} has more than ${limit} characters.`
    case 'maxItems':
      return `${argument} has more than ${limit} items.`
    default:
      return `${argument} is not valid (${keyword}).`
  }
}

function unknownArgument(given: string, { name, input, filters }: CheckedTool): string {
  const known = Object.keys(input.properties)
  const start = `\`${given}\` is an additional argument that ${name} does not take.`
  if (filters.includes(given)) return `${start} It is a filter: send it in \`filters\`.`
  const nearest = findSimilarWord(given, known)
  return nearest === null
    ? `${start} It takes: ${known.join(', ') || 'none'}.`
    : `${start} Did you mean \`${nearest}\`?`
}

/** Writes `/include/0` as `include[0]`. */
function nameOf(path: string): string {
  return path
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}
