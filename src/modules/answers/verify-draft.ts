/**
 * Compares the draft of an answer with what is known: for each number, date, place, status and name in it whether a
 * source said it, said something else, or nobody said it. Nothing is stored.
 */

import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { findNumbers } from '../search/find-numbers.ts'
import { journeyNow, type Service } from '../service.ts'
import { clauseAround, headerCell } from './draft-text.ts'
import { type DraftName, findNames, namesOfTerminals } from './find-names.ts'
import {
  type Judgement,
  judge,
  judgeAmount,
  judgeDate,
  judgeName,
  judgeNumber,
  judgeStatus,
  plainNumber,
  type Subject,
  type Surroundings,
  type Verdict,
} from './judge-facts.ts'
import type { NameKind } from './known-values.ts'
import { type DraftFact, lowerCase, readDraft } from './read-draft.ts'
import { readSubjects } from './read-subjects.ts'

export interface VerifiedFact extends Judgement {
  readonly kind: DraftFact['kind'] | DraftName['kind']
  readonly text: string
  readonly at: number
  /** The container or shipment that it was compared with; null for all of them. */
  readonly of: string | null
  /** A name of the record that is spelt nearly so. */
  readonly didYouMean: string | null
}

export interface VerifiedDraft {
  readonly now: string
  readonly facts: readonly VerifiedFact[]
  /** Numbers of the shipments that were read. */
  readonly shipments: readonly string[]
  /** How many further facts and shipments the draft has. */
  readonly unread: { readonly facts: number; readonly shipments: number }
}

const numbersMax = 100
/** Of each kind. Prose of the length of a draft has fewer. */
const factsMax = 400

export async function verifyDraft(
  service: Service,
  context: Context,
  {
    draft,
    shipments: given,
    selectShown,
  }: {
    readonly draft: string
    readonly shipments: readonly string[]
    /** Those of the shipments that may be shown. */
    readonly selectShown: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  },
): Promise<VerifiedDraft> {
  requireScope(context, 'read')
  const now = journeyNow(service, context.account.isSandbox)
  const read = readDraft(draft, now.slice(0, 10))
  const named = read.facts.flatMap((fact) => (fact.kind === 'number' ? [fact.number] : []))
  const numbers = [...new Set([...given, ...named])].slice(0, numbersMax)
  const tracked = await findNumbers(service, context, { numbers })
  const shown = await selectShown([...new Set(tracked.map(({ shipmentId }) => shipmentId))])
  const matches = tracked.filter(({ shipmentId }) => shown.has(shipmentId))
  const missing = given.find((each) => !matches.some(({ number }) => number === each))
  if (missing !== undefined) {
    const named = missing.slice(0, 60).replace(/[^\w./ -]/g, '')
    throw new ServiceError('not_found', `\`shipments\`: nothing that is tracked has the number or id ${named}.`)
  }
  const uses = {
    charges: read.facts.some(({ kind }) => kind === 'amount'),
    rolled: read.facts.some((fact) => fact.kind === 'status' && fact.status === 'rolled'),
  }
  const { wholes, parts, unread } = await readSubjects(service, context, { matches, uses, now })
  const found = Map.groupBy(matches, ({ number }) => number)
  const subjectsOf = (number: string): readonly Subject[] | null => {
    const those = found.get(number) ?? []
    if (!numbers.includes(number) || those.some(({ shipmentId }) => !wholes.has(shipmentId))) return null
    const ofShipments = those.filter(({ kind }) => kind === 'shipment')
    return (ofShipments.length > 0 ? ofShipments : those).flatMap(({ id }) => wholes.get(id) ?? parts.get(id) ?? [])
  }
  const ofGiven = given.flatMap((each) => subjectsOf(each) ?? [])
  const all = ofGiven.length > 0 ? ofGiven : [...wholes.values()]
  const names = findNames(read.rest, knownNames(all))
  const facts = { ...read, facts: read.facts.slice(0, factsMax), names: names.slice(0, factsMax) }
  return {
    now,
    facts: compareFacts(draft, facts, { now, all, subjectsOf }),
    shipments: [...wholes.values()].map(({ number }) => number),
    unread: {
      facts: read.facts.length + names.length - facts.facts.length - facts.names.length,
      shipments: unread,
    },
  }
}

/** The names of the record, and those of the other terminals at its ports of discharge. */
function knownNames(subjects: readonly Subject[]): ReadonlyMap<string, NameKind> {
  const known = new Map<string, NameKind>()
  const values = subjects.flatMap((subject) => subject.values)
  for (const { attribute, place } of values)
    if (attribute === 'port_of_discharge_locode')
      for (const name of namesOfTerminals(place?.unlocode ?? '')) known.set(name, 'terminal')
  for (const { names } of values) for (const name of names?.plain ?? []) known.set(name, names?.kind ?? 'place')
  return known
}

interface Scope {
  readonly now: string
  readonly all: readonly Subject[]
  /** Null: there were too many to read it. */
  readonly subjectsOf: (number: string) => readonly Subject[] | null
}

interface Mention {
  readonly fact: DraftFact
  /** Empty: the account tracks nothing under this number. Null: it was not read. */
  readonly subjects: readonly Subject[] | null
}

type Placed = Pick<DraftFact, 'text' | 'at' | 'sentence'>
type Judged = Judgement & Pick<VerifiedFact, 'of'>

function compareFacts(
  draft: string,
  read: Pick<ReturnType<typeof readDraft>, 'facts' | 'sentences'> & { readonly names: readonly DraftName[] },
  { now, all, subjectsOf }: Scope,
): readonly VerifiedFact[] {
  const lower = lowerCase(draft)
  const names = read.names.flatMap((name) => {
    const sentence = read.sentences.find(({ from, to }) => name.from >= from && name.from < to)
    return sentence === undefined ? [] : [{ name, sentence, at: name.from, text: draft.slice(name.from, name.to) }]
  })
  const places = Map.groupBy(
    names.filter(({ name }) => name.kind === 'place'),
    ({ sentence }) => sentence,
  )
  const mentions = read.facts.flatMap((fact): readonly Mention[] => {
    const subjects = fact.kind === 'number' ? subjectsOf(fact.number) : []
    return subjects === null || subjects.length > 0 || (fact.kind === 'number' && fact.isSubject)
      ? [{ fact, subjects }]
      : []
  })

  const compareOne = (
    fact: Placed,
    judgeBy: (subject: Subject, around: Surroundings) => Judgement,
    isOfAll = false,
  ): Judged => {
    const owners = findOwners(draft, fact, mentions)
    if (owners.some(({ subjects }) => subjects === null)) return { ...judge('unclear', tooMany), of: null }
    if (owners.some(({ subjects }) => subjects?.length === 0))
      return { ...judge('nobody', 'It is about a number that this account does not track.'), of: null }
    const named = owners.flatMap(({ subjects }) => subjects ?? [])
    // Of a container that is named with its bill, the container is meant.
    const isWhole = ({ number, shipmentId }: Subject) =>
      named.some((each) => each.shipmentId === shipmentId && each.number !== number && each.containers.length === 1)
    const subjects = named.length === 0 ? all : named.filter((each) => each.containers.length === 1 || !isWhole(each))
    const end = fact.at + fact.text.length
    const clause = clauseAround(lower, fact.sentence, { from: fact.at, to: end })
    const isApart = (at: number) => apart.test(lower.slice(Math.min(at, end), Math.max(at, fact.at)))
    const [near] = (places.get(fact.sentence) ?? [])
      .filter(({ at }) => !isApart(at))
      .toSorted((a, b) => Math.abs(a.at - fact.at) - Math.abs(b.at - fact.at))
    const around = {
      now,
      clause: lower.slice(clause.from, clause.to),
      before: lower.slice(Math.max(fact.sentence.from, fact.at - 60), fact.at),
      placeCodes: near?.name.codes ?? [],
    }
    const judged = subjects.map((subject) => ({ ...judgeBy(subject, around), of: subject.number }))
    const isEach = named.length > 0 || isOfAll
    const order = isEach ? worstFirst : bestFirst
    const [first] = judged.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    if (first === undefined) return { ...judge('nobody', 'The draft names no shipment of this account.'), of: null }
    return isEach || subjects.length === 1 ? first : { ...first, of: null }
  }

  const compareFact = (fact: DraftFact): Judged => {
    if (fact.kind === 'date') return compareOne(fact, (subject, around) => judgeDate(fact, subject, around))
    if (fact.kind === 'amount') return compareOne(fact, (subject, around) => judgeAmount(fact, subject, around))
    if (fact.kind === 'status') return compareOne(fact, (subject, around) => judgeStatus(fact, subject, around), true)
    const mention = mentions.find((each) => each.fact === fact)
    if (mention === undefined) return compareOne(fact, (subject) => judgeNumber(fact, subject))
    if (mention.subjects === null) return { ...judge('unclear', tooMany), of: null }
    const [subject] = mention.subjects
    if (subject === undefined) return { ...judge('nobody', 'This account tracks nothing under this number.'), of: null }
    const same = subject.values.filter(({ text }) => plainNumber(text) === plainNumber(fact.number))
    const value = same.find(({ explain }) => explain !== null) ?? same[0]
    return { ...judge('said', null, value === undefined ? [] : [value]), of: subject.number }
  }

  return [
    ...read.facts.map((fact) => ({
      kind: fact.kind,
      text: fact.text,
      at: fact.at,
      didYouMean: null,
      ...compareFact(fact),
    })),
    ...names.map(({ name, ...fact }) => ({
      kind: name.kind,
      text: fact.text,
      at: fact.at,
      didYouMean: name.didYouMean,
      ...compareOne(fact, (subject, around) => judgeName(name, subject, around)),
    })),
  ].toSorted((a, b) => a.at - b.at)
}

const tooMany = 'Not read: the draft names too many shipments. Verify it in parts.'
const bestFirst: readonly Verdict[] = ['said', 'calculated', 'differs', 'unclear', 'nobody']
const worstFirst: readonly Verdict[] = ['differs', 'nobody', 'unclear', 'calculated', 'said']

/** What stands on two sides of these words is not about one place. */
const apart = /\b(?:and|but|then|while|before|after)\b/

/** `A and B`, `A (bill B)`. */
const betweenNumbers =
  /^(?:[\s,;:&/*`()]|\b(?:and|or|under|of|on|with|containers?|bill|lading|b\/?l|booking|shipment|number|no\.?)\b){1,40}$/i

/**
 * The numbers at the head of its column; else those named nearest before it in its sentence, else after it, else before
 * it in its paragraph, else in its heading. Several that are named together.
 */
function findOwners(draft: string, { at, sentence }: Placed, mentions: readonly Mention[]): readonly Mention[] {
  const beside = (mention: Mention) => mentions.filter(({ fact }) => fact.sentence === mention.fact.sentence)
  const before = mentions.filter(({ fact }) => fact.at < at)
  const head = headerCell(draft, sentence, at)
  const nearest =
    mentions.find(({ fact }) => head !== null && fact.at >= head.from && fact.at < head.to) ??
    before.findLast(({ fact }) => fact.sentence === sentence) ??
    mentions.find(({ fact }) => fact.sentence === sentence && fact.at > at) ??
    before.findLast(({ fact }) => fact.sentence.paragraph === sentence.paragraph) ??
    before.findLast(({ fact }) => fact.sentence.isHeading && fact.sentence.section === sentence.section)
  if (nearest === undefined) return []
  const row = beside(nearest)
  const isJoined = (left: Mention | undefined, right: Mention | undefined) =>
    left !== undefined &&
    right !== undefined &&
    betweenNumbers.test(draft.slice(left.fact.at + left.fact.text.length, right.fact.at))
  let [first, last] = [row.indexOf(nearest), row.indexOf(nearest)]
  while (isJoined(row[first - 1], row[first])) first -= 1
  while (isJoined(row[last], row[last + 1])) last += 1
  return row.slice(first, last + 1)
}
