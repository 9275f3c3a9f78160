/** Makes the attestation of an access that was just checked, from its answer and from what was learnt of earlier ones. */

import { isIP } from 'node:net'
import { isKnownCode } from '../../connectors/dcsa/codes.ts'
import { isKnownName } from '../../connectors/dcsa/names.ts'
import type { RawSnapshot } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import { learnShape, namesOfPath, noShape, readMember } from '../../domain/tracking-requests/answer-shape.ts'
import { jumpAnswers } from '../../domain/tracking-requests/event-counts.ts'
import { isObject, membersOf } from '../../domain/values/json-value.ts'
import { addressRules } from '../../platform/addresses.ts'
import { programVersion } from '../../platform/program-version.ts'
import type { Context } from '../access/context.ts'
import { type Attestation, signAttestation } from '../attestations/attestation.ts'
import { describeShape, groupByName } from '../attestations/attested-shape.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { parsePages, shapeOfAnswer } from './answer-shape-of.ts'
import { findAnswerShape } from './answer-shapes-sql.ts'
import type { AccessCheck } from './check-access.ts'
import { sumEvents } from './line-readings-sql.ts'

/** `showsCodes`: with codes that the reader does not know, as far as they can only be codes. */
export async function attestAccess(
  service: Service,
  { account }: Context,
  { check, showsCodes }: { readonly check: AccessCheck; readonly showsCodes: boolean },
): Promise<Attestation> {
  const { scac, access, answer, reading } = check
  const answerShape = answer.kind === 'answered' ? shapeOfAnswer(answer.snapshot) : null
  const reader = findSource(access.source)
  if (answer.kind !== 'answered' || reading?.verdict !== 'found' || answerShape === null || reader === null)
    throw new ServiceError('invalid', 'There is nothing to attest: no JSON answer with events of the number came.')
  const now = realNow(service)
  const learnt = (await findAnswerShape(service.pool, access.id)) ?? noShape
  const before = await sumEvents(service.pool, { credentialId: access.id, answers: jumpAnswers })
  const { told, aside, understood, lost } = reading.counts
  const [read, partly] = [before.understood + understood, before.partly + told - aside - understood - lost]
  const total = read + partly + before.lost + lost
  const content = {
    line: scac,
    access: { kind: 'request', language: access.source },
    interface: findInterfaceVersion(access.profile),
    reader: { name: reader.name, version: reader.version },
    program: programVersion,
    day: now.slice(0, 10),
    simulated: account.isSandbox || isSimulatedAddress(access.profile['base']),
    events: {
      answers: before.answers + 1,
      read,
      partly,
      lost: before.lost + lost,
      share: total === 0 ? null : Math.round((read / total) * 1_000) / 1_000,
    },
    ...describeShape(learnShape(learnt, answerShape, now), {
      source: access.source,
      shown: showsCodes ? findUnknownCodes(answer.snapshot, answerShape) : {},
    }),
  } as const
  return signAttestation(content, service.encryption.attestationSeed())
}

/** From the header by which the request names it, or from the path: `2.2` in `/msc/trackandtrace/v2.2/events`. */
function findInterfaceVersion({ headers, path }: Readonly<Record<string, unknown>>): string | null {
  const header = String(membersOf(headers)['api-version'] ?? '')
  const [, version = null] =
    /^v?(\d{1,2}(?:\.\d{1,2})?)$/.exec(header) ?? /\/v(\d{1,2}(?:\.\d{1,2})?)(?:\/|$)/.exec(String(path)) ?? []
  return version
}

const publicAddresses = addressRules({ allowedNetworks: [], allowLoopback: false })

/** Whether the address leads to this machine, to a private network, or nowhere (RFC 6761, RFC 8375). */
export function isSimulatedAddress(base: unknown): boolean {
  const host = URL.parse(String(base))?.hostname.replace(/^\[|\]$|\.$/g, '') ?? ''
  if (isIP(host) !== 0) return publicAddresses.findRefusal(host) !== null
  return !host.includes('.') || /\.(?:example|home\.arpa|internal|invalid|local|localhost|test)$/.test(host)
}

/** Codes of members that are code lists of the standard. What also occurs anywhere else in the answer may be a name. */
function findUnknownCodes(
  snapshot: Pick<RawSnapshot, 'contentType' | 'body'>,
  answerShape: ReadonlySet<string>,
): Attestation['codes']['shown'] {
  const codes = [...answerShape].flatMap((member) => {
    const read = readMember(member)
    const name = namesOfPath(read?.path ?? '').at(-1) ?? ''
    const code = read?.code ?? ''
    return /^[A-Z]{2,6}$/.test(code) && isKnownName(name) && !isKnownCode(code) ? [{ name, code }] : []
  })
  const others = parsePages(snapshot).flatMap((page) => textsOutsideOf(page, new Set(codes.map(({ name }) => name))))
  const otherText = others.join('\n').toUpperCase()
  return groupByName(codes.filter(({ code }) => !otherText.includes(code)))
}

/** All texts and names of members, but the values of these members. */
function textsOutsideOf(value: unknown, names: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsOutsideOf(each, names))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => [
      name,
      ...(names.has(name) && typeof each === 'string' ? [] : textsOutsideOf(each, names)),
    ])
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}
