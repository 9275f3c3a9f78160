/**
 * Finds the carrier for a code or a name: a SCAC, the code or name of a carrier that another one acquired, an owner
 * code of its containers, or its name as people write it.
 */

import { once } from './data-files.ts'
import { plainName } from './plain-name.ts'
import { allShippingLines, findShippingLine, type ShippingLine } from './shipping-lines.ts'

export type NamedLine =
  /** `note` states how the text was understood; null for a SCAC of the carrier. */
  | { readonly kind: 'line'; readonly line: ShippingLine; readonly note: string | null }
  /** `detail`: a sentence that names the lines from which to choose. */
  | { readonly kind: 'several'; readonly detail: string }
  | { readonly kind: 'unknown' }

/** Carriers and brands that other carriers acquired, with the SCACs of those that track their numbers now. */
const former: readonly {
  readonly names: readonly [string, ...string[]]
  readonly codes: readonly string[]
  readonly scacs: readonly string[]
}[] = [
  { names: ['Hamburg Süd', 'Hamburg Sued'], codes: ['SUDU'], scacs: ['MAEU'] },
  { names: ['MCC Transport', 'MCC'], codes: ['MCPU'], scacs: ['MAEU'] },
  { names: ['Sealand'], codes: [], scacs: ['SEAU', 'SEJJ'] },
  {
    names: ['United Arab Shipping Company', 'UASC', 'United Arab Shipping'],
    codes: ['UASC', 'UACU', 'UASU'],
    scacs: ['HLCU'],
  },
  { names: ['NYK Line', 'Nippon Yusen Kaisha', 'Nippon Yusen'], codes: ['NYKS'], scacs: ['ONEY'] },
  { names: ['K Line', 'Kawasaki Kisen Kaisha', 'Kawasaki Kisen'], codes: ['KKLU'], scacs: ['ONEY'] },
  { names: ['Mitsui O.S.K. Lines', 'MOL', 'Mitsui OSK'], codes: ['MOLU'], scacs: ['ONEY'] },
  { names: ['China Shipping', 'CSCL'], codes: [], scacs: ['COSU'] },
]

/** Further codes of a line, and further names that people write. */
const furtherCodes: Readonly<Record<string, string>> = {
  MRKU: 'MAEU',
  MSKU: 'MAEU',
  MAEI: 'MAEU',
  MSCW: 'MSCU',
  HMDU: 'HDMU',
  HMMU: 'HDMU',
  EISU: 'EGLV',
  CHHK: 'COSU',
}
const furtherNames: Readonly<Record<string, string>> = {
  Hapag: 'HLCU',
  Hyundai: 'HDMU',
  CMA: 'CMDU',
  'Mediterranean Shipping': 'MSCU',
  'A.P. Moller - Maersk': 'MAEU',
  Seago: 'SEJJ',
  'ZIM Integrated': 'ZIMU',
}

/** The SCAC under which the numbers of a code that was, or of a further code, are tracked; null for other codes. */
export function successorOf(code: string): string | null {
  return successors().get(code) ?? null
}

export function findNamedLine(text: string): NamedLine {
  const written = text.trim()
  const code = written.toUpperCase()
  const exactLine = findShippingLine(code)
  if (exactLine !== null) return { kind: 'line', line: exactLine, note: null }
  const scacs = scacsOf(code)
  const lines = scacs.flatMap((scac) => findShippingLine(scac) ?? [])
  const [line] = lines
  if (line === undefined) return { kind: 'unknown' }
  const names = lines.map(({ shortName, scac }) => `${shortName} (${scac})`).join(' or ')
  const shortened = written.slice(0, 40)
  return lines.length === 1
    ? { kind: 'line', line, note: `${shortened} is taken as ${names}.` }
    : { kind: 'several', detail: `${shortened} may be ${names}: name one of them by its SCAC.` }
}

function scacsOf(text: string): readonly string[] {
  const successor = successorOf(text)
  if (successor !== null) return [successor]
  const owner = allShippingLines().find(({ ownerPrefixes }) => ownerPrefixes.includes(text))
  if (owner !== undefined) return [owner.scac]
  const keys = keysOf(text)
  const whole = new Set(keys.flatMap((key) => byName().get(key) ?? []))
  return [...(whole.size > 0 ? whole : findLinesByStart(text))]
}

const successors = once(
  () =>
    new Map([
      ...Object.entries(furtherCodes),
      ...former.flatMap(({ codes, scacs: [scac = ''] }) => codes.map((code) => [code, scac] as const)),
    ]),
)

/** Legal forms, and words in the names of many carriers. */
const legalForms =
  /(?<![A-Z])(?:A\/S|S\.?A\.?|S\.?P\.?A\.?|AG|GMBH|LTD|LLC|INC|CORP|CORPORATION|CO|COMPANY|PTE|LIMITED|GROUP)(?![A-Z])\.?/g
const commonWords =
  /^(?:THE|OF|LINES?|LINERS?|SHIPPING|CONTAINERS?|MARINE|MARITIME|TRANSPORT|TRANSPORTATION|NAVIGATION|SERVICES?)$/
/** What would remain of some names, and names no line. */
const noNames = new Set(['KOREA', 'ATLANTIC', 'MEDITERRANEAN', 'INDEPENDENT', 'CHINA'])

/** The words of a name without those that do not distinguish carriers. */
function wordsOf(name: string): readonly string[] {
  return plainWords(name).filter((word) => !commonWords.test(word))
}

function plainWords(name: string): readonly string[] {
  return plainName(name.toUpperCase().replace(legalForms, ' '))
    .split(' ')
    .filter((word) => word !== '')
}

/** Spellings under which a name is searched: with the common words and without. */
function keysOf(name: string): readonly string[] {
  const short = wordsOf(name).join('')
  const isName = short.length > 1 && !noNames.has(short)
  return [plainWords(name).join(''), ...(isName ? [short] : [])].filter((key) => key !== '')
}

const byName = once(() => {
  const found = new Map<string, readonly string[]>()
  const put = (names: readonly string[], scacs: readonly string[]) => {
    for (const key of names.flatMap(keysOf)) found.set(key, scacs)
  }
  for (const { scac, name, shortName } of allShippingLines()) put([name, shortName], [scac])
  for (const [name, scac] of Object.entries(furtherNames)) put([name], [scac])
  for (const { names, scacs } of former) put(names, scacs)
  return found
})

/** The lines whose names begin with these words, at least two of them. */
function findLinesByStart(text: string): ReadonlySet<string> {
  const words = wordsOf(text)
  if (words.length < 2) return new Set()
  const named = allShippingLines().filter(({ name, shortName }) =>
    [name, shortName].some((each) => wordsOf(each).slice(0, words.length).join(' ') === words.join(' ')),
  )
  return new Set(named.map(({ scac }) => scac))
}
