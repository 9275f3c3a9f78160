/** What an attestation says about the shape of answers, and how answers here differ from what was attested. */

import { createHash } from 'node:crypto'
import { isKnownCode } from '../../connectors/dcsa/codes.ts'
import { isKnownName, namesReadBy } from '../../connectors/dcsa/names.ts'
import { isPlainName } from '../../connectors/dcsa/plain-names.ts'
import {
  type AnswerShape,
  missingAfter,
  namesOfPath,
  readMember,
  type ShapeChange,
  settledAfter,
  steadyShare,
} from '../../domain/tracking-requests/answer-shape.ts'
import { canonicalJson } from '../../platform/evidence/canonical-json.ts'
import type { Attestation } from './attestation.ts'

interface SeenMember {
  /** As in the shape. */
  readonly member: string
  readonly path: string
  readonly names: readonly string[]
  /** Null for a type. */
  readonly code: string | null
  readonly answers: number
  readonly first: number
}

function listMembers({ members }: AnswerShape): readonly SeenMember[] {
  return Object.entries(members).flatMap(([member, { answers, first }]) => {
    const read = readMember(member)
    if (read === null) return { member, path: member, names: [member], code: null, answers, first }
    return { member, path: read.path, names: namesOfPath(read.path), code: read.code, answers, first }
  })
}

/** Names that may be shown, and hashed: the hash of a short text can be found by trial. */
const isClearName = (name: string): boolean => isKnownName(name) || isPlainName(name)

/** `source`: the language of the answers. `shown`: unknown codes that the operator chose to show. */
export function describeShape(
  shape: AnswerShape,
  { source, shown }: { readonly source: string; readonly shown: Attestation['codes']['shown'] },
): Pick<Attestation, 'answers' | 'shape' | 'codes'> {
  const all = listMembers(shape)
  const types = all.filter(({ code }) => code === null)
  const clear = types.filter(({ names }) => names.every(isClearName))
  const members = clear.map(({ member }) => hashOf(member)).toSorted()
  const isNamed = (name: string, { names }: SeenMember): boolean =>
    names.some((each) => each.toLowerCase() === name.toLowerCase())
  const readNames = namesReadBy(source)
  const codes = all.flatMap(({ names, code }) => {
    const name = names.at(-1) ?? ''
    return code !== null && isClearName(name) ? [{ name, code }] : []
  })
  const unknownCodes = groupByName(codes.filter(({ code }) => !isKnownCode(code)))
  return {
    answers: shape.answers,
    shape: {
      digest: createHash('sha256').update(canonicalJson(members)).digest('hex'),
      members,
      unknown: clear
        .filter(({ names }) => !names.every(isKnownName))
        .map(({ member }) => member)
        .toSorted(),
      unnamed: types.length - clear.length,
      always: readNames.filter((name) =>
        types.some((each) => isNamed(name, each) && each.answers >= shape.answers * steadyShare),
      ),
      missing: readNames.filter((name) => !types.some((each) => isNamed(name, each))),
    },
    codes: {
      seen: groupByName(codes.filter(({ code }) => isKnownCode(code))),
      unknown: Object.fromEntries(Object.entries(unknownCodes).map(([name, list]) => [name, list.length])),
      shown,
    },
  }
}

function hashOf(member: string): string {
  return createHash('sha256').update(member).digest('hex').slice(0, 16)
}

/** Each code once, by the name of its member. */
export function groupByName(
  codes: readonly { readonly name: string; readonly code: string }[],
): Readonly<Record<string, string[]>> {
  const byName = Object.groupBy(codes, ({ name }) => name)
  return Object.fromEntries(
    Object.entries(byName)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, list = []]) => [name, [...new Set(list.map(({ code }) => code))].toSorted()]),
  )
}

/**
 * How the answers of a channel differ from all attestations of its line together. What the reader knows and few
 * attested answers did not happen to have is no difference.
 */
export function findDifferences(
  shape: AnswerShape,
  attestations: readonly Attestation[],
  since: string,
): readonly ShapeChange[] {
  if (attestations.length === 0) return []
  const hashes = new Set(attestations.flatMap((each) => each.shape.members))
  const isSettled = attestations.reduce((sum, { answers }) => sum + answers, 0) >= settledAfter
  const isOther = (name: string): boolean => isSettled || !isKnownName(name)
  const all = listMembers(shape)
  const changes = all.flatMap(({ member, path, names, code, first }): ShapeChange[] => {
    const change = { member, since, from: first, attested: true } as const
    if (code !== null) {
      const name = names.at(-1) ?? ''
      const isNew = isClearName(name) && isOtherCode(attestations, { name, code, isSettled })
      return isNew ? [{ kind: 'new_code', ...change }] : []
    }
    if (!names.every(isClearName))
      return attestations.every(({ shape: { unnamed } }) => unnamed === 0) ? [{ kind: 'new_member', ...change }] : []
    if (hashes.has(hashOf(member))) return []
    const isNewType = ['string', 'number', 'boolean'].some((type) => hashes.has(hashOf(`${path} ${type}`)))
    if (isNewType) return [{ kind: 'new_type', ...change }]
    return names.some(isOther) ? [{ kind: 'new_member', ...change }] : []
  })
  const settled = attestations.filter(({ answers }) => answers >= missingAfter)
  if (shape.answers < missingAfter || settled.length === 0) return changes
  const seen = new Set(all.flatMap(({ names }) => names.map((name) => name.toLowerCase())))
  const missing = (settled[0]?.shape.always ?? []).filter(
    (name) => settled.every(({ shape: { always } }) => always.includes(name)) && !seen.has(name.toLowerCase()),
  )
  return [
    ...changes,
    ...missing.map((member) => ({ kind: 'missing_member', member, since, from: 1, attested: true }) as const),
  ]
}

function isOtherCode(
  attestations: readonly Attestation[],
  of: { readonly name: string; readonly code: string; readonly isSettled: boolean },
): boolean {
  const { name, code } = of
  const isAttested = attestations.some(
    ({ codes: { seen, shown } }) => seen[name]?.includes(code) === true || shown[name]?.includes(code) === true,
  )
  if (isAttested) return false
  if (isKnownCode(code)) return of.isSettled
  // Of codes that are only counted nobody knows which they are.
  return attestations.every(({ codes: { unknown } }) => (unknown[name] ?? 0) === 0)
}
