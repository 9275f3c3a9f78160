/** The meanings of EDIFACT codes, which profiles write as objects, in the notation of `x12/effects.ts`, and back. */

import { holdNames } from '../../domain/statements/observation.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { type Effect, parseEffects } from '../x12/effects.ts'

/** Null for a meaning that the notation cannot express. */
export function writeEntryMeaning(means: unknown): string | null {
  if (!isObject(means)) return null
  const textsAt = (name: string) => (typeof means[name] === 'string' ? [means[name]] : [])
  switch (means['kind']) {
    case 'event':
      return means['isEstimate'] === true
        ? null
        : [...textsAt('code'), ...textsAt('mode'), ...textsAt('load')].join(' ')
    case 'hold':
      return `${means['status'] === 'released' ? 'release' : String(means['status'])} ${String(means['name'])}`
    case 'available':
      return means['value'] === true ? 'available' : 'not_available'
    case 'booking_cancelled':
      return 'booking_cancelled'
    case 'nothing':
      return 'note'
    default:
      return null
  }
}

/** Null for a text that means nothing in an EDIFACT profile. */
export function readEntryMeaning(means: string): object | null {
  if (means === 'booking_cancelled') return { kind: 'booking_cancelled' }
  const [first, name] = means.split(' ')
  if (first === 'pending' && isOneOf(holdNames, name)) return { kind: 'hold', name, status: 'pending' }
  const [effect, ...more] = parseEffects(means) ?? []
  return effect === undefined || more.length > 0 ? null : entryOf(effect)
}

function entryOf(effect: Effect): object | null {
  switch (effect.kind) {
    case 'event': {
      const { code, mode, load, isAtEndOnly } = effect
      if (isAtEndOnly) return null
      return { kind: 'event', code, ...(load !== null && { load }), ...(mode !== null && { mode }) }
    }
    case 'hold':
    case 'release': {
      const { name, other } = effect
      if (name === 'terminal_charges' || other !== null) return null
      return { kind: 'hold', name, status: effect.kind === 'hold' ? 'hold' : 'released' }
    }
    case 'available':
    case 'not_available':
      return { kind: 'available', value: effect.kind === 'available' }
    case 'note':
      return { kind: 'nothing' }
    default:
      return null
  }
}
