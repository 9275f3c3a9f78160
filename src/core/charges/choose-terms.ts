/** Which terms count for a box: of each kind the own contract before stated terms before the tariff. */

import type { ChargedBox } from './evidence.ts'
import { isAtRamp } from './evidence.ts'
import { type ChargeTerms, equipmentKindsOf, termsOrigins } from './terms.ts'
import { ratesOf, type TermsBook, versionFor } from './terms-book.ts'

export interface ChosenTerms {
  readonly terms: ChargeTerms
  readonly ratesOn: (day: string) => ChargeTerms
}

/** Terms that do not count, or of which it cannot be told. */
export interface PassedOver {
  readonly terms: ChargeTerms
  readonly isUndecided: boolean
  /** A sentence. */
  readonly why: string
}

export interface TermsChoice {
  readonly chosen: readonly ChosenTerms[]
  readonly passedOver: readonly PassedOver[]
}

export function chooseTerms(box: ChargedBox, book: TermsBook): TermsChoice {
  const passedOver: PassedOver[] = []
  const candidates = new Map<string, ChosenTerms[]>()
  for (const versions of book.series) {
    const [newest] = versions
    // What is certainly about other boxes is not worth a word.
    if (newest === undefined || versions.every((terms) => fitOf(box, terms).kind === 'other')) continue
    const found = versionFor(box, versions, book)
    if (found === null) continue
    if (found.kind !== 'found') {
      passedOver.push(over(found.terms, found.why, found.kind === 'undecided'))
      continue
    }
    const fit = fitOf(box, found.terms)
    if (fit.kind === 'undecided') passedOver.push(over(found.terms, fit.why, true))
    if (fit.kind !== 'fits') continue
    const chosen = { terms: found.terms, ratesOn: ratesOf(found.terms, versions) }
    const slot = slotOf(found.terms)
    candidates.set(slot, [...(candidates.get(slot) ?? []), chosen])
  }
  const winners = [...candidates.values()].flatMap((rivals) => {
    const [best, ...others] = rivals.toSorted((a, b) => compareTerms(a.terms, b.terms))
    if (best === undefined) return []
    passedOver.push(...others.map(({ terms }) => over(terms, whyBefore(best.terms, terms), false)))
    return [best]
  })
  return { chosen: settleCombined(winners, passedOver), passedOver }
}

function over(terms: ChargeTerms, why: string, isUndecided: boolean): PassedOver {
  return { terms, isUndecided, why: `Terms ${terms.code} version ${terms.version} do not count: ${why}.` }
}

/** Terms of one slot are about the same days. */
export function slotOf(terms: ChargeTerms): string {
  return `${terms.chargedBy} ${terms.kind} ${isAtRamp(terms) ? 'ramp' : 'port'}`
}

/**
 * Combined terms take the place of demurrage and detention of the same charger, unless one of these binds more. So no
 * day is charged twice.
 */
function settleCombined(winners: readonly ChosenTerms[], passedOver: PassedOver[]): readonly ChosenTerms[] {
  const lost = new Set<ChosenTerms>()
  for (const combined of winners.filter(({ terms }) => terms.kind === 'combined')) {
    const rivals = winners.filter(
      ({ terms }) =>
        terms.chargedBy === combined.terms.chargedBy &&
        (terms.kind === 'detention' || terms.kind === 'demurrage') &&
        (terms.kind === 'detention' || isAtRamp(terms) === isAtRamp(combined.terms)),
    )
    const better = rivals.find(({ terms }) => compareTerms(terms, combined.terms) < 0)
    for (const loser of better === undefined ? rivals : [combined]) {
      const winner = better ?? combined
      lost.add(loser)
      passedOver.push(over(loser.terms, whyBefore(winner.terms, loser.terms), false))
    }
  }
  return winners.filter((winner) => !lost.has(winner))
}

/** Negative when `a` binds more: by origin, then the more special ones, then those recorded later. */
function compareTerms(a: ChargeTerms, b: ChargeTerms): number {
  return (
    termsOrigins.indexOf(a.origin) - termsOrigins.indexOf(b.origin) ||
    specialty(b) - specialty(a) ||
    (a.recordedAt === b.recordedAt ? 0 : a.recordedAt < b.recordedAt ? 1 : -1) ||
    (a.code < b.code ? -1 : 1)
  )
}

function whyBefore(best: ChargeTerms, other: ChargeTerms): string {
  const name = `${best.code} version ${best.version}`
  if (best.origin !== other.origin) return `the ${best.origin} (${name}) comes before the ${other.origin}`
  if (specialty(best) !== specialty(other)) return `${name} is more special`
  return `${name} was recorded later`
}

function specialty(terms: ChargeTerms): number {
  const { bills, chargerCode, ports, destinations, equipment, haulage } = terms
  const lists = [bills, ports, destinations, equipment].filter((list) => list.length > 0).length
  return (bills.length > 0 ? 10 : 0) + lists + (chargerCode === null ? 0 : 1) + (haulage === null ? 0 : 1)
}

type Fit = { readonly kind: 'fits' | 'other' } | { readonly kind: 'undecided'; readonly why: string }

const fits: Fit = { kind: 'fits' }
const other: Fit = { kind: 'other' }

/** Terms fit when all their criteria do. What is not known of the box leaves it undecided; nothing is guessed. */
function fitOf({ container, scac, bill }: ChargedBox, terms: ChargeTerms): Fit {
  const { destination, portOfDischarge, equipment } = container
  if (isAtRamp(terms) && destination === null) return other
  // The line's bill goes on to an inland place: the line brings the box there. Else the cargo's owner fetches it.
  const haulage = destination === null ? 'merchant' : 'carrier'
  if (terms.haulage !== null && terms.haulage !== haulage) return other
  const kinds = equipment === null ? null : equipmentKindsOf(equipment)
  const all = [
    oneOf(terms.bills, bill === null ? null : [bill], 'the bill is not known'),
    oneOf(terms.ports, codeOf(portOfDischarge.place?.unlocode), 'the port of discharge is not known'),
    oneOf(terms.destinations, codeOf(destination?.place?.unlocode), 'the destination is not known'),
    oneOf(terms.equipment, kinds, 'the type of the box is not known'),
    fitOfCharger({ container, scac }, terms),
  ]
  return all.find(({ kind }) => kind === 'other') ?? all.find(({ kind }) => kind === 'undecided') ?? fits
}

function codeOf(code: string | null | undefined): readonly string[] | null {
  return code === null || code === undefined ? null : [code]
}

function oneOf(wanted: readonly string[], has: readonly string[] | null, why: string): Fit {
  if (wanted.length === 0) return fits
  if (has === null) return { kind: 'undecided', why }
  return has.some((each) => wanted.includes(each)) ? fits : other
}

function fitOfCharger({ container, scac }: Pick<ChargedBox, 'container' | 'scac'>, terms: ChargeTerms): Fit {
  const { chargedBy, chargerCode } = terms
  if (chargerCode === null) return fits
  const { podTerminal, podRailCarrier, destinationRailCarrier } = container
  switch (chargedBy) {
    case 'line':
      return oneOf([chargerCode], [scac], '')
    case 'terminal': {
      const codes = [podTerminal?.facilityCode, podTerminal?.terminalId].filter(
        (code) => typeof code === 'string',
      )
      return oneOf([chargerCode], codes.length > 0 ? codes : null, 'the terminal is not known')
    }
    case 'railway': {
      const codes = [podRailCarrier, destinationRailCarrier].filter((code) => code !== null)
      return oneOf([chargerCode], codes.length > 0 ? codes : null, 'the railway is not known')
    }
    case 'chassis_pool':
      return { kind: 'undecided', why: 'no source says of which pool the chassis is' }
  }
}
