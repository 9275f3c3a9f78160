// A setting and the kinds of settings: how each kind reads the text of a variable, and how it describes what it accepts.
import { parseNetwork } from './addresses.ts'

export type Setting<T> = {
  readonly variable: string
  /**
   * The value when the variable is not set. Null when the default depends on other settings; `otherwise` then describes
   * it.
   */
  readonly fallback: T
  readonly otherwise?: string
  readonly accepts: string
  readonly about: string
  /** undefined when the text is not acceptable. */
  readonly parse: (text: string) => T | undefined
}

export function setting<T>(
  variable: string,
  fallback: T,
  accepts: string,
  about: string,
  parse: Setting<T>['parse'],
): Setting<T> {
  return { variable, fallback, accepts, about, parse }
}

export function port(variable: string, fallback: number, about: string): Setting<number> {
  return integer(variable, { fallback, min: 1, max: 65_535 }, about)
}

/** A port whose default (null) depends on other ports. */
export function portBeside(variable: string, otherwise: string, about: string): Setting<number | null> {
  return { ...port(variable, 0, about), fallback: null, otherwise }
}

/** Null when it is not set, 0 for none. */
export function portOrNone(variable: string, otherwise: string, about: string): Setting<number | null> {
  return { ...integer(variable, { fallback: 0, min: 0, max: 65_535 }, about), fallback: null, otherwise }
}

const processesMax = 64

export function processes(variable: string, about: string): Setting<number | 'auto'> {
  const { parse } = integer(variable, { fallback: 1, min: 1, max: processesMax }, about)
  const accepts = `auto, or a whole number from 1 to ${processesMax}`
  return setting<number | 'auto'>(variable, 1, accepts, about, (text) => (text === 'auto' ? text : parse(text)))
}

type Range = { readonly fallback: number; readonly min: number; readonly max: number }

export function number(variable: string, { fallback, min, max }: Range, about: string): Setting<number> {
  return setting(variable, fallback, `a number from ${min} to ${max}`, about, (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

export function integer(variable: string, range: Range, about: string): Setting<number> {
  const { fallback, parse } = number(variable, range, about)
  return setting(variable, fallback, `a whole number from ${range.min} to ${range.max}`, about, (text) =>
    text.includes('.') ? undefined : parse(text),
  )
}

/** Requests of one account in any 60 seconds; 0 is no limit. */
export function perMinute(variable: string, fallback: number, which: string): Setting<number> {
  const about = `Requests of one account in any 60 seconds, ${which}; 0: no limit.`
  return integer(variable, { fallback, min: 0, max: 1_000_000 }, about)
}

export function choice<const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
  about: string,
): Setting<T> {
  return setting<T>(variable, fallback, choices.join(', '), about, (text) => choices.find((each) => each === text))
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

export function secret(variable: string, lengthMin: number, otherwise: string, about: string): Setting<string | null> {
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
    ...setting<string | null>(variable, null, 'a URL postgresql://user:password@host:port/database', about, parse),
    otherwise,
  }
}

export function valkeyUrl(variable: string, about: string): Setting<string | null> {
  const parse = (value: string) => (/^(redis|rediss|valkey|valkeys):\/\/./.test(value) ? value : undefined)
  return {
    ...setting<string | null>(
      variable,
      null,
      'a URL valkey://user:password@host:port/number, or redis, rediss',
      about,
      parse,
    ),
    otherwise: 'none',
  }
}

export function smtpUrl(variable: string, about: string): Setting<string | null> {
  const parse = (value: string) =>
    /^smtps?:\/\/./.test(value) && URL.canParse(value) && new URL(value).hostname !== '' ? value : undefined
  const accepts = 'a URL smtp://user:password@host:port, or smtps'
  return {
    ...setting<string | null>(variable, null, accepts, about, parse),
    otherwise: 'none: no mail is sent',
  }
}

export function day(variable: string, about: string): Setting<string | null> {
  const parse = (value: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
      ? value
      : undefined
  return {
    ...setting<string | null>(variable, null, 'a day such as 2026-01-31', about, parse),
    otherwise: 'not set',
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

/** Origins of web pages (RFC 6454, 6.1), or `*`. */
export function origins(variable: string, about: string): Setting<readonly string[]> {
  const parse = (value: string) => {
    const each = value
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== '')
    return each.every((part) => part === '*' || isOrigin(part)) ? each : undefined
  }
  return {
    ...setting<readonly string[]>(variable, [], '* or origins such as https://app.example', about, parse),
    otherwise: 'none',
  }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** A part of the world, in degrees. `west` is less than `east`, unless the rectangle lies across the date line. */
export type GeoBoundingBox = {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** Empty means the whole world. A rectangle across the date line is written as two rectangles. */
export function boundingBoxes(variable: string, about: string): Setting<readonly GeoBoundingBox[]> {
  const parse = (value: string) => {
    const each = value.split(';').map(readBoundingBox)
    return each.every((boundingBox) => boundingBox !== null) ? each : undefined
  }
  return {
    ...setting<readonly GeoBoundingBox[]>(variable, [], 'boxes such as 33.5,-118.5,34,-118;51,3,52.5,5', about, parse),
    otherwise: 'the whole world',
  }
}

function readBoundingBox(text: string): GeoBoundingBox | null {
  const parts = text.split(',').map((part) => (/^\s*-?\d+(\.\d+)?\s*$/.test(part) ? Number(part) : Number.NaN))
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = parts
  const isOne = parts.length === 4 && south >= -90 && south < north && north <= 90
  return isOne && west >= -180 && west < east && east <= 180 ? { south, west, north, east } : null
}

export type HostAndPort = { readonly host: string; readonly port: number }

export function hosts(variable: string, about: string): Setting<readonly HostAndPort[]> {
  const parse = (value: string) => {
    const each = value.split(',').map((part) => {
      const [, host = '', port = ''] = /^\[?([^\s\][]+?)\]?:(\d{1,5})$/.exec(part.trim()) ?? []
      return { host, port: Number(port) }
    })
    return each.every(({ host, port }) => host !== '' && port >= 1 && port <= 65_535) ? each : undefined
  }
  return {
    ...setting<readonly HostAndPort[]>(variable, [], 'host:port, several separated by commas', about, parse),
    otherwise: 'none',
  }
}

/** Names of machines without scheme or port, in lower case; an IPv6 address in brackets. */
export function hostNames(variable: string, about: string): Setting<readonly string[]> {
  const parse = (value: string) => {
    const each = value.split(',').map((part) => part.trim().toLowerCase())
    return each.every((name) => /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/.test(name)) ? each : undefined
  }
  return {
    ...setting<readonly string[]>(variable, [], 'host names, several separated by commas', about, parse),
    otherwise: 'none',
  }
}

/** One name of the DNS, in lower case. */
export function domainName(variable: string, otherwise: string, about: string): Setting<string | null> {
  const parse = (value: string) => {
    const name = value.toLowerCase()
    return /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name)
      ? name
      : undefined
  }
  return {
    ...setting<string | null>(variable, null, 'a domain such as in.example.com', about, parse),
    otherwise,
  }
}

/** RFC 3986, 3.1. */
export function uriScheme(variable: string, fallback: string, about: string): Setting<string> {
  return setting(variable, fallback, 'a URI scheme: small letters, digits, + - .', about, (value) =>
    /^[a-z][a-z0-9+.-]{0,31}$/.test(value) ? value : undefined,
  )
}
