/** The query of a standard's request: its parameters by name, each checked. A list may be repeated or have commas. */

import { parameterFault } from '../api/errors/problem.ts'
import { lastMomentOf, parseEventTime } from '../domain/values/time.ts'

export interface Parameters {
  /** Null when it is not given, or is empty. */
  readonly text: (name: string, charactersMax?: number) => string | null
  readonly list: (name: string, values: readonly string[]) => readonly string[] | null
  /** The first and the last moment of the time. `value`: a part of the parameter, where not all of it is the time. */
  readonly moment: (name: string, value?: string | null) => { readonly first: string; readonly last: string } | null
  readonly whole: (name: string, bounds: { readonly max: number; readonly fallback: number }) => number
}

const hasControls = /\p{Cc}/u

/** Refuses a parameter that is not among these names, because ignoring it would answer another question. */
export function readParameters(query: unknown, names: readonly string[]): Parameters {
  const given = query as Readonly<Record<string, string | readonly string[]>>
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw parameterFault('malformed', unknown, `There is no such parameter here. There are: ${names.join(', ')}.`)
  const text = (name: string, charactersMax = 100): string | null => {
    const [value = '', ...more] = [given[name] ?? []].flat().map((each) => each.trim())
    if (more.length > 0) throw parameterFault('malformed', name, 'Give it once.')
    if (value.length > charactersMax)
      throw parameterFault('invalid', name, `This must have at most ${charactersMax} characters.`)
    if (hasControls.test(value)) throw parameterFault('invalid', name, 'This has a control character. Remove it.')
    return value === '' ? null : value
  }
  return {
    text,
    list: (name, values) => {
      const wanted = [given[name] ?? []]
        .flat()
        .flatMap((each) => each.split(','))
        .map((each) => each.trim())
        .filter((each) => each !== '')
      const wrong = wanted.find((each) => !values.includes(each))
      if (wrong !== undefined)
        throw parameterFault(
          'invalid',
          name,
          `This must be a list of: ${values.join(', ')}. Not one of them: ${JSON.stringify(wrong.slice(0, 50))}.`,
        )
      return wanted.length === 0 ? null : wanted
    },
    moment: (name, value = text(name)) => {
      if (value === null) return null
      // A plus that was not encoded comes as a blank.
      const written = value.replace(/ (\d{2}:?\d{2})$/, '+$1')
      const time = parseEventTime(written)
      if (time?.kind === 'instant') return { first: time.at, last: lastMomentOf({ at: time.at, written }) }
      throw parameterFault('invalid', name, 'This must be a time with its zone, such as 2026-01-05T08:00:00Z.')
    },
    whole: (name, { max, fallback }) => {
      const value = text(name)
      if (value === null) return fallback
      const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
      if (number >= 1 && number <= max) return number
      throw parameterFault('invalid', name, `This must be a whole number from 1 to ${max}.`)
    },
  }
}
