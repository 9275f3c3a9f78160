/**
 * Sends one question to a carrier, terminal or railroad with secrets that are not stored yet, and reads what comes
 * back. Nothing is stored. The limits of polls do not apply to this one question.
 */

import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { AnswerOutcome, FetchResult, NumberKind } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { writeObservation } from '../../domain/notation/notation.ts'
import type { Observation } from '../../domain/statements/observation.ts'
import { type EventCounts, noEventCounts } from '../../domain/tracking-requests/event-counts.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { judgeAnswer } from '../../pipeline/terminal-polling/judge-answer.ts'
import type { Egress } from '../../platform/egress.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { compactNumber, findShippingLine, normalizedNumber } from '../../reference/shipping-lines.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { guessNumberKind, interpretAnswer, readAnswer } from '../sources/read-answer.ts'
import { type ConnectionTarget, readSpeaker } from './connection-target.ts'
import { type AccessFinding, diagnoseAccess, type Exchange } from './diagnose-access.ts'
import { findPresentData, type PresentData } from './present-data.ts'
import { readStatedLimits, type StatedLimits } from './stated-limits.ts'

export interface AccessTrial {
  readonly number: string
  readonly kind: NumberKind
  readonly answer: FetchResult
  readonly finding: AccessFinding
  readonly limits: StatedLimits
  /** Null where nothing was read. */
  readonly reading: TrialReading | null
}

export interface TrialReading {
  readonly outcome: AnswerOutcome | null
  readonly counts: EventCounts
  /** What was read, in the journey notation. */
  readonly statements: readonly string[]
  readonly issues: readonly {
    readonly kind: string
    readonly lost: string
    readonly path: string
    readonly detail: string
  }[]
  readonly containers: readonly {
    readonly number: string
    readonly status: string
    readonly milestones: readonly string[]
  }[]
  readonly data: PresentData
}

export interface TrialInput {
  readonly number: string
  /** Null: a number in the form of a container number is one, anything else is a bill of lading. */
  readonly kind: NumberKind | null
  readonly secrets: Readonly<Record<string, string>>
  /** The operator accepts what the question costs. */
  readonly isPaid: boolean
}

/** Throws a `ServiceError` for a profile or secrets that are not complete. */
export async function tryAccess(service: Service, target: ConnectionTarget, input: TrialInput): Promise<AccessTrial> {
  refuseIncomplete(target, input)
  const line = target.kind === 'line' ? findShippingLine(target.id) : null
  const number =
    line === null
      ? input.number.replaceAll(/\s/g, '').toUpperCase()
      : normalizedNumber(line, compactNumber(line, input.number))
  const kind = target.kind === 'facility' ? 'container' : (input.kind ?? guessNumberKind(number))
  const { egress, exchanges } = recordExchanges(service.carrierEgress(false), target, () => service.clock.now())
  const { publicUrl } = service.config.server
  const context = {
    egress,
    now: () => service.clock.now(),
    inboundUrl: publicUrl === null ? null : `${publicUrl}/v2/inbound/trial`,
  }
  const access = { profile: target.profile, secrets: input.secrets }
  const question = { kind, number }
  const [answer, reading] =
    target.kind === 'line'
      ? await askLine(service, target, { access, context, question })
      : await askFacility(target, { access, context, question })
  const oauth = membersOf(membersOf(target.profile['auth'])['oauth'])
  const finding = diagnoseAccess({
    exchanges,
    answer,
    outcome: reading?.outcome ?? null,
    host: hostOf(target),
    secrets: input.secrets,
    isSigned: (target.kind === 'line' && target.source === 'cosco') || oauth['client'] === 'certificate',
    nowMs: service.clock.now(),
  })
  return { number, kind, answer, finding, reading, limits: readStatedLimits(exchanges) }
}

function refuseIncomplete(target: ConnectionTarget, { secrets, number, isPaid }: TrialInput): void {
  if (target.unset.length > 0)
    throw refusedAt(
      '/profile',
      `${target.name} gives each customer other values for ${target.unset.join(', ')}: set them.`,
    )
  const missing = target.secretNames.filter((name) => !secrets[name])
  if (missing.length > 0)
    throw new ServiceError('invalid', `${target.name} needs the secrets ${missing.join(', ')}.`, {
      source: { pointer: '/secrets' },
      meta: { secret_names: target.secretNames },
    })
  const unknown = Object.keys(secrets).find((name) => !target.secretNames.includes(name))
  if (unknown !== undefined)
    throw refusedAt(
      `/secrets/${unknown}`,
      `${target.name} has no secret ${unknown.slice(0, 40)}; it needs ${target.secretNames.join(', ') || 'none'}.`,
    )
  if (number.trim() === '') throw refusedAt('/number', 'A number of your own is needed for the trial.')
  if (target.isBilled && !isPaid)
    throw refusedAt('/pay', `${target.name} bills every request, also a refused one. Accept this to try it.`)
}

type Question = {
  readonly access: { readonly profile: unknown; readonly secrets: Readonly<Record<string, string>> }
  readonly context: {
    readonly egress: Pick<Egress, 'request'>
    readonly now: () => number
    readonly inboundUrl: string | null
  }
  readonly question: { readonly kind: NumberKind; readonly number: string }
}

async function askLine(
  service: Service,
  { id: scac, source: language, profile }: Extract<ConnectionTarget, { readonly kind: 'line' }>,
  { access, context, question }: Question,
): Promise<[FetchResult, TrialReading | null]> {
  const source = findSource(language)
  if (source === null) throw new Error(`there is no source ${language}`)
  const answer = await source.fetch({ scac, ...question }, access, context)
  if (answer.kind === 'unreachable') return [answer, null]
  const { body, status, contentType, fetchedAt: at } = answer.snapshot
  const pasted = {
    scac,
    ...question,
    body,
    at,
    access: { source: language, profile },
    answered: { status, contentType },
  }
  const { reading } = interpretAnswer(pasted)
  const {
    said: statements,
    issues,
    containers,
    counts,
    verdict: outcome,
  } = readAnswer(readRules(service.config), pasted)
  return [
    answer,
    { outcome, counts, statements, issues, containers, data: findPresentData(reading.observations, 'line') },
  ]
}

async function askFacility(
  { speaker, answer: profile }: Extract<ConnectionTarget, { readonly kind: 'facility' }>,
  { access, context, question }: Question,
): Promise<[FetchResult, TrialReading | null]> {
  const source = findPushedSource('facility')
  if (source?.polling === undefined) throw new Error('there is no source facility')
  const answer = await source.polling.fetch([question], access, context)
  const { outcome, bodies } = judgeAnswer(answer, (body) => source.splitDelivery(body, profile))
  if (answer.kind === 'unreachable') return [answer, null]
  const { kind } = readSpeaker(speaker)
  const readings = bodies
    .flatMap(({ parts }) => parts)
    .map(({ about, body }) =>
      source.read({ ...answer.snapshot, body }, { speaker: kind, messageSubject: about[0] ?? question }, profile),
    )
  const observations = readings.flatMap(({ observations: each }) => each)
  const found = outcome === 'answered' ? 'found' : outcome === 'nothing_yet' ? 'not_found' : 'unrecognized'
  const reading: TrialReading = {
    outcome:
      outcome === 'access_denied' || outcome === 'unreachable' || outcome === 'question_refused' ? outcome : found,
    counts: readings.map(({ events }) => events).reduce(addCounts, noEventCounts),
    statements: observations.map((each) => writeStatement(each, speaker)),
    issues: readings.flatMap(({ issues }) => issues),
    containers: [],
    data: findPresentData(observations, 'facility'),
  }
  return [answer, reading]
}

function writeStatement(observation: Observation, speaker: string): string {
  return writeObservation(observation, readSpeaker(speaker), {
    timeZoneOf: (unlocode) => findPlaceByCode(unlocode)?.timeZone ?? null,
  })
}

function addCounts(a: EventCounts, b: EventCounts): EventCounts {
  return {
    told: a.told + b.told,
    aside: a.aside + b.aside,
    understood: a.understood + b.understood,
    lost: a.lost + b.lost,
    unread: a.unread,
  }
}

function hostOf({ profile }: ConnectionTarget): string {
  return URL.parse(String(profile['base']))?.hostname ?? ''
}

/** The egress of a trial, which also notes what was sent where and what came back. */
function recordExchanges(
  egress: Pick<Egress, 'request'>,
  { profile }: ConnectionTarget,
  now: () => number,
): { readonly egress: Pick<Egress, 'request'>; readonly exchanges: readonly Exchange[] } {
  const exchanges: Exchange[] = []
  const { tokenUrl } = membersOf(membersOf(membersOf(profile['auth'])['oauth']))
  const request: Egress['request'] = async (sent) => {
    const result = await egress.request(sent)
    exchanges.push({
      host: URL.parse(sent.url)?.host ?? '',
      isForToken: sent.url === tokenUrl,
      result,
      nowMs: now(),
    })
    return result
  }
  return { egress: { request }, exchanges }
}
