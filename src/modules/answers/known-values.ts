/** What is known of a container or shipment, as single values: stated by sources, or calculated by us. */

import { type Money, minorDigits, writeMoney } from '../../domain/charges/money.ts'
import { rateOn } from '../../domain/charges/tally.ts'
import { containerVerdicts } from '../../domain/provenance/explain-container.ts'
import { type ShipmentDerivation, shipmentVerdicts } from '../../domain/provenance/explain-shipment.ts'
import { factVerdict, type Verdict } from '../../domain/provenance/verdict.ts'
import type { ContainerDerivation } from '../../domain/shipment/container-derivation.ts'
import type { Claim, ObservedPlace } from '../../domain/statements/observation.ts'
import { localDateIn, type PlacedTime } from '../../domain/values/time.ts'
import { countDays } from '../../domain/view/day-count.ts'
import { freeDaysOfTerms } from '../../domain/view/free-time.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { findVesselByImo } from '../../reference/vessels.ts'
import type { ContainerSums } from '../charges/sum-charges.ts'
import type { listContainersOfShipments } from '../containers/list-containers.ts'
import { freeTimeContextOf } from '../containers/urgency.ts'
import type { ShipmentWithDerivations } from '../provenance/derivations.ts'
import { type ExplainedStatement, explainClaim, timeOf } from '../provenance/value-explanation.ts'
import type { getShipment } from '../shipments/get-shipment.ts'
import type { Slips } from '../shipments/list-slips.ts'

type ContainerReading = Awaited<ReturnType<typeof listContainersOfShipments>>[number]
type ShipmentReading = Awaited<ReturnType<typeof getShipment>>
export type NameKind = 'place' | 'ship' | 'line' | 'terminal' | 'customer'

export interface KnownValue {
  readonly attribute: string
  /** Null for what no source states. */
  readonly explain: (() => ExplainedStatement) | null
  /** The end of a sentence: why it does not count. Null for what counts. */
  readonly lost: string | null
  /** How we made it, if no source states it. */
  readonly calculation: string | null
  readonly time: PlacedTime | null
  readonly place: ObservedPlace | null
  /** As `plainName` spells them. */
  readonly names: { readonly kind: NameKind; readonly plain: readonly string[] } | null
  /** What is shown of a value that is no time. */
  readonly text: string | null
  /** `kg`, `hours`, `knots`, `feet`, `containers`, `holds`, or the code of a currency. */
  readonly amount: { readonly unit: string; readonly value: number } | null
}

const blank = { explain: null, lost: null, calculation: null, time: null, place: null, names: null, text: null }

function know(attribute: string, rest: Partial<KnownValue>): KnownValue {
  return { ...blank, amount: null, ...rest, attribute }
}

export function calculated(attribute: string, calculation: string, rest: Partial<KnownValue>): KnownValue {
  return know(attribute, { ...rest, calculation })
}

type Measured = readonly [attribute: string, how: string, unit: string, value: number | null | undefined]

function measured(...[attribute, how, unit, value]: Measured): readonly KnownValue[] {
  if (value == null) return []
  const text = unit === 'hours' && value % 24 === 0 ? `${value / 24} days` : `${value} ${unit}`
  return [calculated(attribute, how, { amount: { unit, value }, text })]
}

/** The first of the names is shown. */
function nameThing(kind: NameKind, names: readonly (string | null | undefined)[]): Partial<KnownValue> {
  const texts = names.flatMap((each) => each ?? [])
  return texts[0] === undefined ? {} : { names: { kind, plain: texts.map(plainName) }, text: texts[0] }
}

function namePlace(place: ObservedPlace): Partial<KnownValue> {
  const known = place.unlocode === null ? null : findPlaceByCode(place.unlocode)
  return {
    place,
    ...nameThing('place', [known?.name, known?.name.split(',')[0], place.name, known?.city, place.unlocode]),
  }
}

/** The calendar day of a time, at its place. */
export function dayOf({ time, timeZone }: PlacedTime): string {
  return time.kind === 'day'
    ? time.on
    : time.kind === 'local'
      ? time.local.slice(0, 10)
      : localDateIn(time.at, timeZone)
}

interface About {
  readonly derived: ShipmentWithDerivations
  readonly zone: string | null
}

/** The same claim under another name. */
const repeated =
  /^(?:port_|destination_).*name$|_timezone$|^ssl_lfd$|^ind_facility_lfd_on$|^equipment_(?:type|height)$|^pod_eta$/
const isTimed = /_(?:at|on|by)$|lfd|cut_off/

type Verdicts<Of> = Readonly<Record<string, (of: Of) => Verdict>>

function valuesOfVerdicts<Of>(verdicts: Verdicts<Of>, of: Of, about: About): readonly KnownValue[] {
  return Object.entries(verdicts).flatMap(([attribute, verdict]) => {
    if (repeated.test(attribute)) return []
    const { winner, losers, each = [] } = verdict(of)
    const winners = new Set([...(winner === null ? [] : [winner]), ...each.map((one) => one.winner)])
    return [
      ...[...winners].map((claim) => toValue(attribute, claim, about)),
      ...losers.map(({ claim, why }) => ({ ...toValue(attribute, claim, about), lost: why })),
    ]
  })
}

function toValue(attribute: string, claim: Claim, { derived, zone }: About): KnownValue {
  const { observation } = claim
  const explain = () => explainClaim(claim, { ...derived, pickupTimeZone: zone })
  if (observation.kind === 'event') {
    const { place, vessel, voyage } = observation
    const ship = nameThing('ship', [vessel?.name, findVesselByImo(vessel?.imo ?? '')?.name])
    if (attribute.endsWith('vessel_name')) return know(attribute, { explain, ...ship })
    if (attribute.endsWith('vessel_imo')) return know(attribute, { explain, text: vessel?.imo ?? null })
    if (attribute.includes('voyage')) return know(attribute, { explain, text: voyage })
    return know(attribute, {
      explain,
      ...namePlace(place),
      time: isTimed.test(attribute) ? timeOf(observation, zone) : null,
    })
  }
  const { value } = observation
  const amount = typeof value === 'number' ? { unit: 'kg', value } : null
  const text = amount !== null ? `${amount.value} kg` : typeof value === 'object' ? null : String(value)
  const place = typeof value === 'object' && value !== null && 'unlocode' in value ? namePlace(value) : {}
  return know(attribute, { explain, text, amount, ...place, time: timeOf(observation, zone) })
}

const slipped = 'by which the arrival is later'

export function valuesOfShipment(
  reading: ShipmentReading,
  derived: ShipmentWithDerivations,
  slips: Slips | undefined,
): readonly KnownValue[] {
  const { projection, ownEta, scac } = reading
  const { portOfDischarge: pod, portOfLoading: pol, originalEta } = projection
  const { place, timeZone = null } = { place: pod.place, timeZone: pod.place?.timeZone }
  const about = { derived, zone: derived.shipment.lead?.container.pickupTimeZone ?? null }
  const verdicts: Verdicts<ShipmentDerivation> = {
    ...shipmentVerdicts,
    number: ({ facts }) => factVerdict('bill_of_lading_number', facts),
    booking_number: ({ facts }) => factVerdict('booking_number', facts),
    ...(projection.isBookingCancelled && { cancelled: ({ facts }) => factVerdict('booking_cancelled', facts) }),
  }
  const first = Object.values(projection.firstEstimates ?? {}).find(
    ({ time }) => JSON.stringify(time) === JSON.stringify(originalEta),
  )
  const claim = derived.claims.get(first?.claimId ?? '')
  const original = claim === undefined ? know('pod_original_eta_at', {}) : toValue('pod_original_eta_at', claim, about)
  const line = findShippingLine(scac)
  const [left, came] = [pol.atd ?? pol.etd, pod.ata ?? pod.eta]
  const sailed =
    left &&
    came &&
    countDays(dayOf({ time: left, timeZone: pol.place?.timeZone ?? null }), dayOf({ time: came, timeZone }))
  return [
    ...valuesOfVerdicts(verdicts, derived.shipment, about),
    ...(originalEta === null ? [] : [{ ...original, place, time: { time: originalEta, timeZone } }]),
    ...(ownEta === null
      ? []
      : [
          calculated('estimate_by_landfall', "Landfall's own estimate", {
            place,
            time: { time: { kind: 'instant', at: ownEta.eta }, timeZone },
          }),
        ]),
    ...measured('slip_since_first_estimate_hours', slipped, 'hours', slips?.sinceFirstEstimate),
    ...measured('slip_since_plan_hours', slipped, 'hours', slips?.sincePlan),
    ...measured('slip_since_yesterday_hours', slipped, 'hours', slips?.sinceYesterday),
    ...measured('transit', 'days from departure to arrival', 'hours', sailed === null ? null : 24 * sailed),
    ...measured('speed', "of the ship, in Landfall's own estimate", 'knots', ownEta?.speedKnots),
    ...measured('containers', 'containers of the shipment', 'containers', derived.containers.size),
    ...[reading.billOfLadingNumber, reading.normalizedNumber].map((text) => know('number', { text })),
    ...reading.refNumbers.map((text) => know('ref_numbers', { text })),
    know('shipping_line', nameThing('line', [line?.name, line?.shortName, scac])),
    know('customer_name', nameThing('customer', [reading.customerName])),
  ]
}

export function valuesOfContainer(
  reading: ContainerReading,
  derivation: ContainerDerivation,
  of: { readonly derived: ShipmentWithDerivations; readonly charges: ContainerSums | undefined; readonly now: string },
): readonly KnownValue[] {
  const { derived, charges, now } = of
  const { container } = derivation
  const about = { derived, zone: container.pickupTimeZone }
  const milestones = container.milestones.flatMap(({ kind, name, time, place, claimId }): readonly KnownValue[] => {
    const claim = derived.claims.get(claimId)
    if (claim === undefined) return []
    const terminal = findTerminalById(place.terminalId ?? '')
    const attribute = kind === 'actual' ? name : `${name}_estimate`
    const value = { ...toValue(attribute, claim, about), time: { time, timeZone: place.timeZone }, place }
    const names = nameThing('terminal', [terminal?.name, terminal?.nickname, terminal?.smdgCode, terminal?.firmsCode])
    return [
      value,
      ...['vessel_name', 'vessel_imo', 'voyage'].map((each) => toValue(each, claim, about)),
      know('terminal', { explain: value.explain, ...names }),
    ].filter(({ time: at, text }) => at !== null || text !== null)
  })
  const { hasLeftByRail } = freeTimeContextOf(reading)
  const byTerms = freeDaysOfTerms(reading.calculatedFreeDays, hasLeftByRail).map(({ on }) =>
    calculated('free_until', "the last free day by the account's terms", {
      time: { time: { kind: 'day', on }, timeZone: about.zone },
    }),
  )
  const stated = valuesOfVerdicts(containerVerdicts, derivation, about).map((value) => showProjected(value, container))
  const named = [...derived.claims.values()].find(({ observation }) => observation.equipment === container.number)
  const known = [...stated, ...milestones, ...byTerms]
  const winning = (name: string) => stated.filter(({ attribute, lost }) => attribute === name && lost === null)
  const isShared = winning('weight_in_lbs')[0]?.amount?.value !== container.weightKg
  return [
    ...known,
    ...feesOf(container, winning('fees_at_pod_terminal')),
    ...(isShared
      ? measured('weight_in_lbs', 'the weight of the bill, shared among its containers', 'kg', container.weightKg)
      : []),
    ...known.flatMap(({ attribute, time, lost }) =>
      time === null || lost !== null
        ? []
        : measured(
            attribute,
            `days between today and ${attribute}`,
            'hours',
            24 * countDays(localDateIn(now, time.timeZone), dayOf(time)),
          ),
    ),
    ...(charges === undefined ? [] : valuesOfCharges(charges, now)),
    know('number', {
      text: container.number,
      explain: named === undefined ? null : toValue('number', named, about).explain,
    }),
    ...reading.refNumbers.map((text) => know('ref_numbers', { text })),
  ]
}

/** Of values that are more than one statement, what the projection has. */
function showProjected(value: KnownValue, { available, equipment, holds, status }: ContainerProjection): KnownValue {
  switch (value.attribute) {
    case 'current_status':
      return { ...value, text: status }
    case 'available_for_pickup':
      return { ...value, text: available === null ? null : String(available) }
    case 'equipment_length':
      return { ...value, amount: equipment && { unit: 'feet', value: equipment.lengthFeet } }
    case 'holds_at_pod_terminal':
      return {
        ...value,
        text: holds.map(({ name }) => name).join(', ') || 'none',
        amount: { unit: 'holds', value: holds.length },
      }
    default:
      return value
  }
}

function feesOf({ fees }: ContainerProjection, statements: readonly KnownValue[]): readonly KnownValue[] {
  return fees.flatMap(({ amount, currencyCode: unit, type }) => {
    const naming =
      statements.find(({ explain }) => JSON.stringify(explain?.().value).includes(String(amount))) ?? statements[0]
    return naming === undefined
      ? []
      : [{ ...naming, amount: { unit, value: amount }, text: `${type} ${amount} ${unit}` }]
  })
}

function valuesOfCharges({ sums, terms }: ContainerSums, now: string): readonly KnownValue[] {
  const toValues = (attribute: string, how: string, all: readonly Money[]) =>
    all.map((money) => {
      const amount = { unit: money.currency, value: money.minor / 10 ** minorDigits(money.currency) }
      return calculated(attribute, `${how} by the terms on record`, { text: writeMoney(money), amount })
    })
  const rates = terms.flatMap((each) => rateOn(each.terms, now) ?? [])
  return [
    ...toValues('charges', 'owed', sums.owed.totals),
    ...toValues('charges', 'owed in two weeks', sums.forecast.totals),
    ...toValues('charges', 'avoidable', sums.avoidable),
    ...toValues('rate', 'a day', rates),
    ...measured('charges', 'charged days', 'hours', terms.length === 0 ? null : 24 * sums.owed.chargedDays),
  ]
}
