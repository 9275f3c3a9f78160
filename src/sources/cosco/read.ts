/** Reads a kept answer of COSCO's own interface. Never throws; a pure function of its input. */

import { nothingTold } from '../../core/requests/understanding.ts'
import type { FactObservation, Observation } from '../../core/statements/observation.ts'
import { isObject } from '../../core/values/json-value.ts'
import { settleNames } from '../dcsa/names.ts'
import { nameOfType, type Part, readPart, readParts, readText } from '../dcsa/part.ts'
import { numberFor } from '../dcsa/question.ts'
import { withUniqueKeys } from '../dcsa/statements.ts'
import { documentFacts } from '../document-facts.ts'
import { openTally } from '../event-tally.ts'
import { readJsonAnswer } from '../json-answer.ts'
import { readPages } from '../pages.ts'
import type { LookRequest, RawSnapshot, Reading, Verdict } from '../source.ts'
import { IssueList, quoted } from '../source-issue.ts'
import type { CoscoProfile } from './profile.ts'
import { type AnswerContext, fact, readBox, readBoxFacts, readBoxNumber, readLeg } from './said.ts'
import { placeOfPort, placeOfTown, readTown } from './towns.ts'

/** Raised whenever the same bytes may give other observations. */
export const readerVersion = 1

const words = { notFound: { statuses: [404], phrases: [] } }

export function readSnapshot(snapshot: RawSnapshot, request: LookRequest, profile: CoscoProfile): Reading {
  const issues = new IssueList(1)
  const [page] = readPages(snapshot).pages
  if (page === undefined) return nothing('unrecognized', issues)
  const answer = readJsonAnswer(page, { issues, words })
  if (answer.kind === 'none') return nothing(answer.verdict, issues)
  const value = answer.kind === 'json' ? answer.value : null
  issues.pointBy(settleNames(value))
  const content = findContent(value, issues)
  if (content.kind === 'none') return nothing(content.verdict, issues)
  return readContent(content.part, { snapshot, request, profile, issues })
}

type Content =
  | { readonly kind: 'content'; readonly part: Part }
  | { readonly kind: 'none'; readonly verdict: Verdict }

/** `code` 0 with the `type` `none` means that the number does not exist; `code` 5400 means a wrong question. */
function findContent(value: unknown, issues: IssueList): Content {
  const none = (verdict: Verdict): Content => ({ kind: 'none', verdict })
  const whole = { path: '', lost: 'answer' } as const
  if (!isObject(value)) {
    issues.add('wrong_structure', whole, `an object with data was expected, not ${nameOfType(value)}`)
    return none('unrecognized')
  }
  const root = { value, path: '' }
  const code = Number(value['code'])
  if (code !== 0) {
    const isCode = Number.isInteger(code)
    issues.add(
      isCode ? 'error_status' : 'wrong_structure',
      whole,
      `the line answered ${isCode ? code : 'no code'}`,
    )
    return none(code === wrongQuestion ? 'question_refused' : isCode ? 'unreachable' : 'unrecognized')
  }
  const data = readPart(root, 'data', issues)
  if (data !== null && readText(data, 'type', issues) === 'none') return none('not_found')
  const part = readPart(data, 'content', issues)
  if (part !== null) return { kind: 'content', part }
  issues.add('wrong_structure', whole, 'the answer has no content')
  return none('unrecognized')
}

const wrongQuestion = 5_400

interface Asked {
  readonly snapshot: RawSnapshot
  readonly request: LookRequest
  readonly profile: CoscoProfile
  readonly issues: IssueList
}

function readContent(content: Part, { snapshot, request, profile, issues }: Asked): Reading {
  const path = readPart(content, 'trackingPath', issues)
  const bill = path && readText(path, 'trackingGroupReferenceCode', issues)
  const booking = path && readText(path, 'billOfladingRefCode', issues)
  const documents = [bill, booking].filter((number) => number !== null)
  const bare = (number: string): string => numberFor(profile, { kind: request.kind, number })
  if (documents.length > 0 && !documents.some((number) => bare(number) === bare(request.number))) {
    const what = `the answer is about ${quoted(documents[0] ?? '')}, which was not asked for`
    issues.add('other_document', { path: '', lost: 'answer' }, what)
    return nothing('other_number', issues)
  }
  const legs = readParts(content, 'actualShipment', issues)
  const boxes = readParts(content, 'containerStatus', issues).flatMap((status) =>
    readParts(status, 'containers', issues),
  )
  const towns = [
    ...(path === null ? [] : [readText(path, 'fromCity', issues), readText(path, 'toCity', issues)]),
    ...legs.map((leg) => readText(leg, 'city', issues)),
    ...boxes.map((box) => readText(box, 'location', issues)),
  ].flatMap((text) => readTown(text) ?? [])
  const tally = openTally()
  const context = { issues, tally, towns, fetchedAtMs: Date.parse(snapshot.fetchedAt) }
  const numbered = boxes.flatMap((box) => {
    const number = readBoxNumber(box, context)
    return number === null ? [] : [{ box, number }]
  })
  const events = withUniqueKeys([
    ...legs.flatMap((leg) => readLeg(leg, context)),
    ...numbered.flatMap(({ box, number }) => readBox(box, number, context)),
  ])
  const facts = [
    ...documentFacts({ bills: bill ? [bill] : [], bookings: booking ? [booking] : [] }, null),
    ...factsOfPath(content, path, context),
    ...numbered.flatMap(({ box, number }) => readBoxFacts(box, number, context)),
  ]
  const observations: Observation[] = [...events, ...onePerKey(facts)]
  return {
    verdict: events.length > 0 ? 'found' : 'known_without_data',
    observations: observations.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    issues: issues.all(),
    withdrawn: [],
    statedFullPicture: false,
    about: {
      billNumbers: bill === null ? [] : [bill],
      bookingNumbers: booking === null ? [] : [booking],
      equipment: [...new Set(numbered.map(({ number }) => number))].sort(),
    },
    events: tally.counts(),
  }
}

/** Facts of the route. `pol` and `pod` are the port, ` - `, and the terminal. */
function factsOfPath(content: Part, path: Part | null, context: AnswerContext): readonly FactObservation[] {
  const { issues } = context
  const inbond = readText(content, 'ITNumber', issues)
  const entry = inbond === null ? [] : [fact('it_number', inbond)]
  if (path === null) return entry
  const ports = [
    ['pol', 'port_of_loading'],
    ['pod', 'port_of_discharge'],
  ] as const
  const roles = ports.flatMap(([field, name]) => {
    const [port = '', facility] = (readText(path, field, issues) ?? '').split(' - ')
    const at = { ...context, path: `${path.path}/${field}`, ...(facility !== undefined && { facility }) }
    const place = port === '' ? null : placeOfPort(port, at)
    if (place === null || place.unlocode === null) return []
    const isTerminalTold = field === 'pod' && place.terminalId !== null
    return [fact(name, place), ...(isTerminalTold ? [fact('pod_terminal', place)] : [])]
  })
  const town = readTown(readText(path, 'toCity', issues))
  const delivery = town && placeOfTown(town, { path: `${path.path}/toCity`, issues })
  const isKnown = delivery !== null && delivery.unlocode !== null
  return [...entry, ...roles, ...(isKnown ? [fact('place_of_delivery', delivery)] : [])]
}

/** A box may be listed under several labels. The smallest value is used, so that the order does not matter. */
function onePerKey(facts: readonly FactObservation[]): readonly FactObservation[] {
  const byKey = Map.groupBy(facts, ({ key }) => key)
  return [...byKey.values()].flatMap((same) => {
    const [first] = same.toSorted((a, b) => (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1))
    return first ?? []
  })
}

function nothing(verdict: Verdict, issues: IssueList): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const empty = { observations: [], withdrawn: [], statedFullPicture: false, about, events: nothingTold }
  return { verdict, issues: issues.all(), ...empty }
}
