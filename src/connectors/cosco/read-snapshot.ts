/** Reads a stored answer of COSCO's own interface. Never throws; a pure function of its input. */

import type { FactObservation, Observation } from '../../domain/statements/observation.ts'
import { noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { isObject } from '../../domain/values/json-value.ts'
import { type JsonNode, nameOfType, readObject, readObjects, readText } from '../dcsa/json-node.ts'
import { normalizeNames } from '../dcsa/names.ts'
import { stripCarrierPrefix } from '../dcsa/question.ts'
import { withUniqueKeys } from '../dcsa/statements.ts'
import { documentFacts } from '../document-facts.ts'
import { openTally } from '../event-tally.ts'
import { readJsonAnswer } from '../json-answer.ts'
import { readPages } from '../pages.ts'
import type { AnswerOutcome, PollRequest, RawSnapshot, Reading } from '../source.ts'
import { IssueList, quoteValue } from '../source-issue.ts'
import {
  type AnswerContext,
  createFact,
  readContainerFacts,
  readContainerMove,
  readContainerNumber,
  readLeg,
} from './answer-observations.ts'
import type { CoscoProfile } from './profile.ts'
import { placeOfPort, placeOfTown, readTown } from './towns.ts'

/** Raised whenever the same bytes may give other observations. */
export const readerVersion = 2

const notFoundPatterns = { notFound: { statuses: [404], phrases: [] } }

export function readSnapshot(snapshot: RawSnapshot, request: PollRequest, profile: CoscoProfile): Reading {
  const issues = new IssueList(1)
  const [page] = readPages(snapshot).pages
  if (page === undefined) return createEmptyReading('unrecognized', issues)
  const answer = readJsonAnswer(page, { issues, errorPatterns: notFoundPatterns })
  if (answer.kind === 'none') return createEmptyReading(answer.outcome, issues)
  const value = answer.kind === 'json' ? answer.value : null
  issues.pointBy(normalizeNames(value))
  const content = findContent(value, issues)
  if (content.kind === 'none') return createEmptyReading(content.outcome, issues)
  return readContent(content.node, { snapshot, request, profile, issues })
}

type Content =
  | { readonly kind: 'content'; readonly node: JsonNode }
  | { readonly kind: 'none'; readonly outcome: AnswerOutcome }

/** `code` 0 with the `type` `none` means that the number does not exist; `code` 5400 means a wrong question. */
function findContent(value: unknown, issues: IssueList): Content {
  const none = (outcome: AnswerOutcome): Content => ({ kind: 'none', outcome })
  const whole = { path: '', lost: 'answer' } as const
  if (!isObject(value)) {
    issues.add('wrong_structure', whole, `an object with data was expected, not ${nameOfType(value)}`)
    return none('unrecognized')
  }
  const root = { value, path: '' }
  const code = Number(value['code'])
  if (code !== 0) {
    const isCode = Number.isInteger(code)
    issues.add(isCode ? 'error_status' : 'wrong_structure', whole, `the line answered ${isCode ? code : 'no code'}`)
    return none(code === wrongQuestion ? 'question_refused' : isCode ? 'unreachable' : 'unrecognized')
  }
  const data = readObject(root, 'data', issues)
  if (data !== null && readText(data, 'type', issues) === 'none') return none('not_found')
  const node = readObject(data, 'content', issues)
  if (node !== null) return { kind: 'content', node }
  issues.add('wrong_structure', whole, 'the answer has no content')
  return none('unrecognized')
}

const wrongQuestion = 5_400

interface AnswerInput {
  readonly snapshot: RawSnapshot
  readonly request: PollRequest
  readonly profile: CoscoProfile
  readonly issues: IssueList
}

function readContent(content: JsonNode, { snapshot, request, profile, issues }: AnswerInput): Reading {
  const path = readObject(content, 'trackingPath', issues)
  const bill = path && readText(path, 'trackingGroupReferenceCode', issues)
  const booking = path && readText(path, 'billOfladingRefCode', issues)
  const documents = [bill, booking].filter((number) => number !== null)
  const bare = (number: string): string => stripCarrierPrefix(profile, { kind: request.kind, number })
  if (documents.length > 0 && !documents.some((number) => bare(number) === bare(request.number))) {
    const what = `the answer is about ${quoteValue(documents[0] ?? '')}, which was not asked for`
    issues.add('other_document', { path: '', lost: 'answer' }, what)
    return createEmptyReading('other_number', issues)
  }
  const legs = readObjects(content, 'actualShipment', issues)
  const containers = readObjects(content, 'containerStatus', issues).flatMap((status) =>
    readObjects(status, 'containers', issues),
  )
  const towns = [
    ...(path === null ? [] : [readText(path, 'fromCity', issues), readText(path, 'toCity', issues)]),
    ...legs.map((leg) => readText(leg, 'city', issues)),
    ...containers.map((container) => readText(container, 'location', issues)),
  ].flatMap((text) => readTown(text) ?? [])
  const tally = openTally()
  const context = { issues, tally, towns, fetchedAtMs: Date.parse(snapshot.fetchedAt) }
  const numbered = containers.flatMap((container) => {
    const number = readContainerNumber(container, context)
    return number === null ? [] : [{ box: container, number }]
  })
  const events = withUniqueKeys([
    ...legs.flatMap((leg) => readLeg(leg, context)),
    ...numbered.flatMap(({ box: container, number }) => readContainerMove(container, number, context)),
  ])
  const facts = [
    ...documentFacts({ bills: bill ? [bill] : [], bookings: booking ? [booking] : [] }, null),
    ...factsOfPath(content, path, context),
    ...numbered.flatMap(({ box: container, number }) => readContainerFacts(container, number, context)),
  ]
  const observations: Observation[] = [...events, ...onePerKey(facts)]
  return {
    outcome: events.length > 0 ? 'found' : 'known_without_data',
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
function factsOfPath(content: JsonNode, path: JsonNode | null, context: AnswerContext): readonly FactObservation[] {
  const { issues } = context
  const inbond = readText(content, 'ITNumber', issues)
  const entry = inbond === null ? [] : [createFact('it_number', inbond)]
  if (path === null) return entry
  const ports = [
    ['pol', 'port_of_loading'],
    ['pod', 'port_of_discharge'],
  ] as const
  const roles = ports.flatMap(([field, name]) => {
    const [port = '', facility] = (readText(path, field, issues) ?? '').split(' - ')
    const at = { ...context, path: `${path.path}/${field}`, ...(facility !== undefined && { facility }) }
    const place = port === '' ? null : placeOfPort(port, at)
    if (place === null) return []
    const isTerminalStated = field === 'pod' && place.terminalId !== null
    return [createFact(name, place), ...(isTerminalStated ? [createFact('pod_terminal', place)] : [])]
  })
  const town = readTown(readText(path, 'toCity', issues))
  const delivery = town && placeOfTown(town, { path: `${path.path}/toCity`, issues })
  const isKnown = delivery !== null && delivery.unlocode !== null
  return [...entry, ...roles, ...(isKnown ? [createFact('place_of_delivery', delivery)] : [])]
}

/** A container may be listed under several labels. The smallest value is used, so that the order does not matter. */
function onePerKey(facts: readonly FactObservation[]): readonly FactObservation[] {
  const byKey = Map.groupBy(facts, ({ key }) => key)
  return [...byKey.values()].flatMap((same) => {
    const [first] = same.toSorted((a, b) => (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1))
    return first ?? []
  })
}

function createEmptyReading(outcome: AnswerOutcome, issues: IssueList): Reading {
  const about = { billNumbers: [], bookingNumbers: [], equipment: [] }
  const empty = { observations: [], withdrawn: [], statedFullPicture: false, about, events: noEventCounts }
  return { outcome, issues: issues.all(), ...empty }
}
