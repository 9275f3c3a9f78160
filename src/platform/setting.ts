// One setting and the kinds there are: what each reads from a variable's text, and how it says what it accepts.
import { parseNetwork } from './addresses.ts'

export type Setting<T> = {
  readonly variable: string
  /** The value when nothing is set; null where the default follows from something else, told in `otherwise`. */
  readonly fallback: T
  readonly otherwise?: string
  readonly accepts: string
  readonly about: string
  /** undefined when the text is not acceptable. */
  readonly parse: (text: string) => T | undefined
}

function setting<T>(
  variable: string,
  fallback: T,
  accepts: string,
  about: string,
  parse: Setting<T>['parse'],
): Setting<T> {
  return { variable, fallback, accepts, about, parse }
}

export function port(variable: string, fallback: number, about: string): Setting<number> {
  return whole(variable, { fallback, min: 1, max: 65_535 }, about)
}

type Range = { readonly fallback: number; readonly min: number; readonly max: number }

export function number(variable: string, { fallback, min, max }: Range, about: string): Setting<number> {
  return setting(variable, fallback, `a number from ${min} to ${max}`, about, (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

export function whole(variable: string, range: Range, about: string): Setting<number> {
  const { fallback, parse } = number(variable, range, about)
  return setting(variable, fallback, `a whole number from ${range.min} to ${range.max}`, about, (text) =>
    text.includes('.') ? undefined : parse(text),
  )
}

export function choice<const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
  about: string,
): Setting<T> {
  return setting<T>(variable, fallback, choices.join(', '), about, (text) =>
    choices.find((each) => each === text),
  )
}

export function onOff(variable: string, otherwise: string, about: string): Setting<boolean | null> {
  const parse = (text: string) => (text === 'on' ? true : text === 'off' ? false : undefined)
  return { ...setting<boolean | null>(variable, null, 'on, off', about, parse), otherwise }
}

export function text(variable: string, fallback: string, about: string): Setting<string> {
  return setting(variable, fallback, 'text', about, (value) => value)
}

export function optionalText(variable: string, otherwise: string, about: string): Setting<string | null> {
  return { ...setting<string | null>(variable, null, 'text', about, (value) => value), otherwise }
}

export function secret(
  variable: string,
  lengthMin: number,
  otherwise: string,
  about: string,
): Setting<string | null> {
  const parse = (value: string) => (value.length >= lengthMin ? value : undefined)
  return {
    ...setting<string | null>(variable, null, `${lengthMin} or more characters`, about, parse),
    otherwise,
  }
}

export function url(variable: string, otherwise: string, about: string): Setting<string | null> {
  const parse = (value: string) =>
    /^https?:\/\//.test(value) && URL.canParse(value) ? value.replace(/\/+$/, '') : undefined
  return { ...setting<string | null>(variable, null, 'a URL with http or https', about, parse), otherwise }
}

export function databaseUrl(variable: string, otherwise: string, about: string): Setting<string | null> {
  const parse = (value: string) => (/^postgres(ql)?:\/\/./.test(value) ? value : undefined)
  return {
    ...setting<string | null>(
      variable,
      null,
      'a URL postgresql://user:password@host:port/database',
      about,
      parse,
    ),
    otherwise,
  }
}

export function header(variable: string, fallback: string, about: string): Setting<string> {
  return setting(variable, fallback, 'a header name of letters, digits and hyphens', about, (value) =>
    /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(value) ? value : undefined,
  )
}

export function day(variable: string, about: string): Setting<string | null> {
  const parse = (value: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
      ? value
      : undefined
  return {
    ...setting<string | null>(variable, null, 'a day such as 2026-01-31', about, parse),
    otherwise: 'not told',
  }
}

export function networks(variable: string, about: string): Setting<readonly string[]> {
  const parse = (value: string) => {
    const each = value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    return each.every((part) => parseNetwork(part) !== null) ? each : undefined
  }
  return {
    ...setting<readonly string[]>(variable, [], 'networks such as 10.0.0.0/8,fd00::/8', about, parse),
    otherwise: 'none',
  }
}
