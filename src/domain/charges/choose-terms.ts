/** Which terms count for a container: of each kind the account's own contract, then stated terms, then the tariff. */

import type { ChargedContainer } from './evidence.ts'
import { isAtRamp } from './evidence.ts'
import { type ChargeTerms, equipmentKindsOf, termsOrigins } from './terms.ts'
import { ratesOf, type TermsBook, versionFor } from './terms-book.ts'

export interface ChosenTerms {
  readonly terms: ChargeTerms
  readonly ratesOn: (day: string) => ChargeTerms
}

/** Terms that do not count, or of which this is unknown. */
export interface RejectedTerms {
  readonly terms: ChargeTerms
  readonly isUndecided: boolean
  /** A sentence. */
  readonly why: string
}

export interface TermsChoice {
  readonly chosen: readonly ChosenTerms[]
  readonly passedOver: readonly RejectedTerms[]
}

export function chooseTerms(chargedContainer: ChargedContainer, book: TermsBook): TermsChoice {
  const passedOver: RejectedTerms[] = []
  const candidates = new Map<string, ChosenTerms[]>()
  for (const versions of book.series) {
    const [newest] = versions
    // Terms that are certainly about other containers are not mentioned.
    if (newest === undefined || versions.every((terms) => matchTerms(chargedContainer, terms).kind === 'other'))
      continue
    const found = versionFor(chargedContainer, versions, book)
    if (found === null) continue
    if (found.kind !== 'found') {
      passedOver.push(toRejectedTerms(found.terms, found.why, found.kind === 'undecided'))
      continue
    }
    const fit = matchTerms(chargedContainer, found.terms)
    if (fit.kind === 'undecided') passedOver.push(toRejectedTerms(found.terms, fit.why, true))
    if (fit.kind !== 'fits') continue
    const chosen = { terms: found.terms, ratesOn: ratesOf(found.terms, versions) }
    const slot = slotOf(found.terms)
    candidates.set(slot, [...(candidates.get(slot) ?? []), chosen])
  }
  const winners = [...candidates.values()].flatMap((contenders) => {
    const [best, ...others] = contenders.toSorted((a, b) => compareTerms(a.terms, b.terms))
    if (best === undefined) return []
    passedOver.push(...others.map(({ terms }) => toRejectedTerms(terms, explainPrecedence(best.terms, terms), false)))
    return [best]
  })
  return { chosen: resolveCombined(winners, passedOver), passedOver }
}

function toRejectedTerms(terms: ChargeTerms, why: string, isUndecided: boolean): RejectedTerms {
  return { terms, isUndecided, why: `Terms ${terms.code} version ${terms.version} do not count: ${why}.` }
}

/** Terms of one slot are about the same days. */
export function slotOf(terms: ChargeTerms): string {
  return `${terms.chargedBy} ${terms.kind} ${isAtRamp(terms) ? 'ramp' : 'port'}`
}

/**
 * Combined terms replace demurrage and detention of the same charger, unless one of these has precedence. So no day is
 * charged twice.
 */
function resolveCombined(winners: readonly ChosenTerms[], passedOver: RejectedTerms[]): readonly ChosenTerms[] {
  const outranked = new Set<ChosenTerms>()
  for (const combined of winners.filter(({ terms }) => terms.kind === 'combined')) {
    const contenders = winners.filter(
      ({ terms }) =>
        terms.chargedBy === combined.terms.chargedBy &&
        (terms.kind === 'detention' || terms.kind === 'demurrage') &&
        (terms.kind === 'detention' || isAtRamp(terms) === isAtRamp(combined.terms)),
    )
    const better = contenders.find(({ terms }) => compareTerms(terms, combined.terms) < 0)
    for (const loser of better === undefined ? contenders : [combined]) {
      const winner = better ?? combined
      outranked.add(loser)
      passedOver.push(toRejectedTerms(loser.terms, explainPrecedence(winner.terms, loser.terms), false))
    }
  }
  return winners.filter((winner) => !outranked.has(winner))
}

/** Negative when `a` has precedence: by origin, then the more special ones, then those recorded later. */
function compareTerms(a: ChargeTerms, b: ChargeTerms): number {
  return (
    termsOrigins.indexOf(a.origin) - termsOrigins.indexOf(b.origin) ||
    specificityOf(b) - specificityOf(a) ||
    (a.recordedAt === b.recordedAt ? 0 : a.recordedAt < b.recordedAt ? 1 : -1) ||
    (a.code < b.code ? -1 : 1)
  )
}

function explainPrecedence(best: ChargeTerms, other: ChargeTerms): string {
  const name = `${best.code} version ${best.version}`
  if (best.origin !== other.origin) return `the ${best.origin} (${name}) comes before the ${other.origin}`
  if (specificityOf(best) !== specificityOf(other)) return `${name} is more special`
  return `${name} was recorded later`
}

function specificityOf(terms: ChargeTerms): number {
  const { bills, chargerCode, ports, destinations, equipment, haulage } = terms
  const lists = [bills, ports, destinations, equipment].filter((list) => list.length > 0).length
  return (bills.length > 0 ? 10 : 0) + lists + (chargerCode === null ? 0 : 1) + (haulage === null ? 0 : 1)
}

type TermsFit = { readonly kind: 'fits' | 'other' } | { readonly kind: 'undecided'; readonly why: string }

const fits: TermsFit = { kind: 'fits' }
const other: TermsFit = { kind: 'other' }

/**
 * Terms fit when all their criteria do. An unknown property of the container makes it undecided; nothing is guessed.
 */
function matchTerms({ container, scac, bill }: ChargedContainer, terms: ChargeTerms): TermsFit {
  const { destination, portOfDischarge, equipment } = container
  if (isAtRamp(terms) && destination === null) return other
  // The bill of the line ends at an inland place: the line carries the container there. Else the owner of the cargo
  // fetches it.
  const haulage = destination === null ? 'merchant' : 'carrier'
  if (terms.haulage !== null && terms.haulage !== haulage) return other
  const kinds = equipment === null ? null : equipmentKindsOf(equipment)
  const all = [
    matchCriterion(terms.bills, bill === null ? null : [bill], 'the bill is not known'),
    matchCriterion(terms.ports, toCodeList(portOfDischarge.place?.unlocode), 'the port of discharge is not known'),
    matchCriterion(terms.destinations, toCodeList(destination?.place?.unlocode), 'the destination is not known'),
    matchCriterion(terms.equipment, kinds, 'the type of the box is not known'),
    fitOfCharger({ container, scac }, terms),
  ]
  return all.find(({ kind }) => kind === 'other') ?? all.find(({ kind }) => kind === 'undecided') ?? fits
}

function toCodeList(code: string | null | undefined): readonly string[] | null {
  return code === null || code === undefined ? null : [code]
}

function matchCriterion(wanted: readonly string[], has: readonly string[] | null, why: string): TermsFit {
  if (wanted.length === 0) return fits
  if (has === null) return { kind: 'undecided', why }
  return has.some((each) => wanted.includes(each)) ? fits : other
}

function fitOfCharger({ container, scac }: Pick<ChargedContainer, 'container' | 'scac'>, terms: ChargeTerms): TermsFit {
  const { chargedBy, chargerCode } = terms
  if (chargerCode === null) return fits
  const { podTerminal, podRailCarrier, destinationRailCarrier } = container
  switch (chargedBy) {
    case 'line':
      return matchCriterion([chargerCode], [scac], '')
    case 'terminal': {
      const codes = [podTerminal?.facilityCode, podTerminal?.terminalId].filter((code) => typeof code === 'string')
      return matchCriterion([chargerCode], codes.length > 0 ? codes : null, 'the terminal is not known')
    }
    case 'railway': {
      const codes = [podRailCarrier, destinationRailCarrier].filter((code) => code !== null)
      return matchCriterion([chargerCode], codes.length > 0 ? codes : null, 'the railway is not known')
    }
    case 'chassis_pool':
      return { kind: 'undecided', why: 'no source says of which pool the chassis is' }
  }
}
