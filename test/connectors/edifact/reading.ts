/** Cuts messages into parts and reads each, as the service does: for its first number, or for a given one. */

import { edifactSource } from '../../../src/connectors/edifact/edifact-source.ts'
import { type EdifactProfile, plainEdifactProfile } from '../../../src/connectors/edifact/profile.ts'
import type { MentionedNumber, MessagePart, PartContext } from '../../../src/connectors/pushed-source.ts'
import type { Reading } from '../../../src/connectors/source.ts'
import type { EventObservation, Observation } from '../../../src/domain/statements/observation.ts'

export const heardAt = '2026-04-01T00:00:00.000Z'

export interface Asked {
  readonly profile?: Partial<EdifactProfile>
  readonly speaker?: PartContext['speaker']
  readonly subject?: MentionedNumber
}

export function cut(text: string | Buffer, profile: Partial<EdifactProfile> = {}) {
  return edifactSource.splitDelivery(Buffer.from(text), { ...plainEdifactProfile, ...profile })
}

export function readOne(part: Pick<MessagePart, 'body' | 'about'>, requested: Asked = {}): Reading {
  const [first = { kind: 'container', number: 'NONE' }] = part.about
  return edifactSource.read(
    { status: 200, contentType: null, body: part.body, fetchedAt: heardAt },
    { speaker: requested.speaker ?? 'shipping_line', messageSubject: requested.subject ?? first },
    { ...plainEdifactProfile, ...requested.profile },
  )
}

export function readAll(text: string | Buffer, requested: Asked = {}): readonly Reading[] {
  return cut(text, requested.profile).parts.map((part) => readOne(part, requested))
}

export function observationsIn(text: string | Buffer, requested: Asked = {}): readonly Observation[] {
  return readAll(text, requested).flatMap(({ observations }) => observations)
}

export function eventsIn(text: string | Buffer, requested: Asked = {}): readonly EventObservation[] {
  return observationsIn(text, requested).filter((stated) => stated.kind === 'event')
}

/** `ACT LOAD LADEN VESSEL CNNGB TRHU1000010 2026-01-06T14:30`, `-` for what is not stated. */
export function eventLines(text: string | Buffer, requested: Asked = {}): readonly string[] {
  return eventsIn(text, requested).map(({ classifier, code, load, mode, place, equipment, time }) =>
    [
      classifier,
      code ?? '-',
      load ?? '-',
      mode ?? '-',
      place.unlocode ?? '-',
      equipment ?? '-',
      time.kind === 'instant' ? time.at : time.kind === 'local' ? time.local.slice(0, 16) : time.on,
    ].join(' '),
  )
}

/** `fact value container`. */
export function factLines(text: string | Buffer, requested: Asked = {}): readonly string[] {
  return observationsIn(text, requested).flatMap((stated) => {
    if (stated.kind !== 'fact') return []
    const { value } = stated
    const shown =
      typeof value !== 'object' || value === null
        ? String(value)
        : 'unlocode' in value
          ? value.unlocode
          : 'name' in value
            ? `${value.name} ${value.status}`
            : JSON.stringify(value)
    return [`${stated.fact} ${shown} ${stated.equipment ?? '-'}`]
  })
}

/** A complete interchange of one message of D.95B, or of another directory. */
export function interchange(type: string, segments: string, version = 'D:95B'): string {
  const written = segments
    .trim()
    .split('\n')
    .map((line) => `${line.trim()}'`)
  return `UNB+UNOC:3+PARTNER:ZZZ+LANDFALL:ZZZ+260318:1000+88'\nUNH+1+${type}:${version}:UN'\n${written.join('\n')}\nUNT+${written.length + 2}+1'\nUNZ+1+88'\n`
}
