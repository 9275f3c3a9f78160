/** Everything that the fields of a document say of a journey, as statements with the fields behind each. */

import { nowhere } from '../../../core/statements/observation.ts'
import { parseReferenceNumber } from '../../../core/values/identifiers.ts'
import { IssueList } from '../../source-issue.ts'
import { boxesIn, readBoxes } from './boxes.ts'
import { eachBox, lose, type SaidContext, type SaidFact, type Stated, statedFact, textOf } from './context.ts'
import { openFields } from './fields.ts'
import { readFreeTimes } from './free-times.ts'
import { fieldNames, speakingTypes } from './names.ts'
import { facilityIn, portIn, type SaidPlace } from './places.ts'
import { readReleases } from './releases.ts'
import { readShips } from './ships.ts'
import { statedAtOf, timeOf } from './times.ts'
import type { DocumentWord, SaidField, SaidPaper } from './word.ts'

type Of = Pick<DocumentWord, 'document' | 'receivedAt' | 'after'>

export interface Observed {
  /** Each with its own key. */
  readonly stated: readonly Stated[]
  /** ISO instant: where the paper stands among other papers. */
  readonly statedAt: string
  readonly issues: IssueList
}

/** `heardAt`: ISO instant, when the word came. */
export function observe(paper: SaidPaper, of: Of, heardAt: string): Observed {
  const issues = new IssueList(1)
  const fields = openFields(paper.fields)
  const writtenOn = timeOf(fields.find(fieldNames.writtenOn), { issues, heardAt })
  const statedAt = statedAtOf(writtenOn, of)
  if (!speakingTypes.has(paper.type)) return { stated: [], statedAt, issues }
  const context: SaidContext = {
    document: of.document,
    type: paper.type,
    fields,
    issues,
    statedAt,
    heardAt,
    boxes: boxesIn(fields, issues),
  }
  const ports = {
    loading: portIn(fields, fieldNames.portOfLoading),
    discharge: portIn(fields, fieldNames.portOfDischarge),
    delivery: portIn(fields, fieldNames.placeOfDelivery),
  }
  const stated = [
    ...readNumbers(context),
    ...readBoxes(context),
    ...readFreeTimes(context),
    ...readReleases(context),
    ...readShips(context, ports),
    ...readPlaces(context, ports),
    ...readDays(context),
    ...readTexts(context),
  ]
  return { stated: eachOnce(stated), statedAt, issues }
}

function readNumbers(context: SaidContext): readonly Stated[] {
  const numbers = [
    ['bill_of_lading_number', context.fields.find(fieldNames.bill)],
    ['booking_number', context.fields.find(fieldNames.booking)],
  ] as const
  return numbers.flatMap(([fact, field]) => {
    const value = referenceOf(field, context)
    return value === null
      ? []
      : [statedFact(context, { fact, value, equipment: null, which: value }, [field])]
  })
}

/** Null, with an issue, for a text that is no number of a document. */
export function referenceOf(field: SaidField | null, context: Pick<SaidContext, 'issues'>): string | null {
  const text = textOf(field)
  if (field === null || text === null) return null
  const number = parseReferenceNumber(text)
  if (number.ok) return number.value
  return lose(context, field, { kind: 'wrong_type', detail: number.reason.replaceAll('_', ' ') })
}

/** Says one thing of each box of the document. */
function ofBoxes(
  context: SaidContext,
  said: Omit<SaidFact, 'equipment'> | null,
  fields: readonly (SaidField | null)[],
): readonly Stated[] {
  if (said === null) return []
  return eachBox(context).map((equipment) => statedFact(context, { ...said, equipment } as SaidFact, fields))
}

function readPlaces(
  context: SaidContext,
  { loading, discharge, delivery }: Readonly<Record<'loading' | 'discharge' | 'delivery', SaidPlace | null>>,
): readonly Stated[] {
  const port = discharge?.place ?? nowhere
  const terminal = facilityIn(context.fields, fieldNames.terminal, port)
  const depot = facilityIn(context.fields, fieldNames.emptyReturn, delivery?.place ?? port)
  return [
    ...placed(context, 'port_of_loading', loading),
    ...placed(context, 'port_of_discharge', discharge),
    ...placed(context, 'place_of_delivery', delivery),
    ...(terminal === null ? [] : readTerminal(context, terminal)),
    ...(depot === null
      ? []
      : ofBoxes(context, { fact: 'empty_return_place', value: depot.place }, depot.fields)),
  ]
}

/** A port that nobody knows by this name is not said: it would be another place than every other. */
function placed(
  context: SaidContext,
  fact: 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery',
  said: SaidPlace | null,
): readonly Stated[] {
  if (said === null) return []
  if (said.place.unlocode !== null) return ofBoxes(context, { fact, value: said.place }, said.fields)
  const [field] = said.fields.filter((each) => each !== null)
  if (field !== undefined)
    lose(context, field, {
      kind: 'unknown_place',
      detail: 'the place is not known, or several have this name',
    })
  return []
}

function readTerminal(context: SaidContext, { place, fields }: SaidPlace): readonly Stated[] {
  if (place.terminalId !== null) return ofBoxes(context, { fact: 'pod_terminal', value: place }, fields)
  const [field] = fields.filter((each) => each !== null)
  if (field !== undefined)
    lose(context, field, {
      kind: 'unknown_facility',
      detail: 'no terminal of the port is known by this code or name',
    })
  return []
}

function readDays(context: SaidContext): readonly Stated[] {
  const days = [
    ['general_order_at', fieldNames.generalOrder],
    ['vgm_cut_off', fieldNames.vgmCutOff],
    ['documentation_cut_off', fieldNames.documentationCutOff],
    ['cargo_cut_off', fieldNames.cargoCutOff],
  ] as const
  return days.flatMap(([fact, name]) => {
    const field = context.fields.find(name)
    const value = timeOf(field, context)
    return value === null ? [] : ofBoxes(context, { fact, value }, [field])
  })
}

function readTexts(context: SaidContext): readonly Stated[] {
  const texts = [
    ['it_number', fieldNames.inbond],
    ['pickup_number', fieldNames.pickupNumber],
  ] as const
  return texts.flatMap(([fact, name]) => {
    const field = context.fields.find(name)
    const value = textOf(field)
    return value === null ? [] : ofBoxes(context, { fact, value }, [field])
  })
}

/** Two fields may say one thing, such as the pick-up number of a box and that of all boxes: the first counts. */
function eachOnce(all: readonly Stated[]): readonly Stated[] {
  return [...new Map(all.toReversed().map((each) => [each.observation.key, each])).values()].toReversed()
}
