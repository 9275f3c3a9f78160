// What the tests of X12 share: public samples, messages written by hand, and reading all parts of a delivery.
import { readdirSync, readFileSync } from 'node:fs'
import type { MessagePart } from '../../../src/connectors/pushed-source.ts'
import type { Reading } from '../../../src/connectors/source.ts'
import type { X12Profile } from '../../../src/connectors/x12/profile.ts'
import { openX12Source } from '../../../src/connectors/x12/x12-source.ts'
import { writeObservation } from '../../../src/domain/notation/notation.ts'
import type { Observation, SourceKind } from '../../../src/domain/statements/observation.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'

export const x12 = openX12Source()

const folder = new URL('fixtures/', import.meta.url)
export const sampleNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.edi'))
  .sort()

export function sample(name: string): Buffer {
  return readFileSync(new URL(name, folder))
}

export interface Reader {
  readonly speaker?: SourceKind
  readonly profile?: X12Profile
}

export function readPart(part: MessagePart, { speaker = 'shipping_line', profile = {} }: Reader = {}): Reading {
  const [subject] = part.about
  if (subject === undefined) throw new Error('a part about nothing')
  const snapshot = { status: 200, contentType: null, body: part.body, fetchedAt: '2027-01-01T00:00:00.000Z' }
  return x12.read(snapshot, { speaker, messageSubject: subject }, profile)
}

/** An interchange of the given messages, each the segments between ST and SE, in lines. */
export function interchange(...messages: readonly (readonly [type: string, ...segments: string[]])[]): Buffer {
  const bodies = messages.map(([type, ...segments], index) => {
    const number = String(index + 1).padStart(4, '0')
    return [`ST*${type}*${number}`, ...segments, `SE*${segments.length + 2}*${number}`]
  })
  const isa = `ISA*00*${' '.repeat(10)}*00*${' '.repeat(10)}*ZZ*SENDER         *ZZ*RECEIVER       *260301*0800*U*00401*000000007*0*P*>`
  const segments = [isa, 'GS*QO*SENDER*RECEIVER*20260301*0800*7*X*004010', ...bodies.flat()]
  return Buffer.from(`${[...segments, `GE*${bodies.length}*7`, 'IEA*1*000000007'].join('~')}~`)
}

/** The statements of the parts of a delivery, in the notation, without keys unless requested. */
export function told(delivery: Buffer, reader: Reader = {}): readonly string[] {
  const parts = x12.splitDelivery(delivery, reader.profile ?? {}).parts
  return parts.flatMap((part) => readPart(part, reader).observations.map(line))
}

export function line(observation: Observation): string {
  const text = writeObservation(observation, { kind: 'shipping_line', code: 'TEST' }, { timeZoneOf: zoneOf })
  return text
    .replace(/ +/g, ' ')
    .replace(' carrier:TEST', '')
    .replace(/ key="?[^" ]*"?(?= |$)/, '')
    .replace(/ key="[^"]*"/, '')
}

export function zoneOf(unlocode: string): string | null {
  return findPlaceByCode(unlocode)?.timeZone ?? null
}
