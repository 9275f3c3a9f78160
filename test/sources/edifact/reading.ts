/** Cuts messages into parts and reads each, as the service does: for its first number, or for one that is asked for. */

import type { EventObservation, Observation } from '../../../src/core/statements/observation.ts'
import { edifactSource } from '../../../src/sources/edifact/edifact.ts'
import { type EdifactProfile, plainEdifactProfile } from '../../../src/sources/edifact/profile.ts'
import type { Reading } from '../../../src/sources/source.ts'
import type { SpokenOf, ToldOf, ToldPart } from '../../../src/sources/told.ts'

export const heardAt = '2026-04-01T00:00:00.000Z'

export interface Asked {
  readonly profile?: Partial<EdifactProfile>
  readonly speaker?: ToldOf['speaker']
  readonly subject?: SpokenOf
}

export function cut(text: string | Buffer, profile: Partial<EdifactProfile> = {}) {
  return edifactSource.partsOf(Buffer.from(text), { ...plainEdifactProfile, ...profile })
}

export function readOne(part: Pick<ToldPart, 'body' | 'about'>, asked: Asked = {}): Reading {
  const [first = { kind: 'container', number: 'NONE' }] = part.about
  return edifactSource.read(
    { status: 200, contentType: null, body: part.body, fetchedAt: heardAt },
    { speaker: asked.speaker ?? 'shipping_line', subject: asked.subject ?? first },
    { ...plainEdifactProfile, ...asked.profile },
  )
}

export function readAll(text: string | Buffer, asked: Asked = {}): readonly Reading[] {
  return cut(text, asked.profile).parts.map((part) => readOne(part, asked))
}

export function observationsIn(text: string | Buffer, asked: Asked = {}): readonly Observation[] {
  return readAll(text, asked).flatMap(({ observations }) => observations)
}

export function eventsIn(text: string | Buffer, asked: Asked = {}): readonly EventObservation[] {
  return observationsIn(text, asked).filter((said) => said.kind === 'event')
}

/** `ACT LOAD LADEN VESSEL CNNGB TRHU1000010 2026-01-06T14:30`, `-` for what is not stated. */
export function eventLines(text: string | Buffer, asked: Asked = {}): readonly string[] {
  return eventsIn(text, asked).map(({ classifier, code, load, mode, place, equipment, time }) =>
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

/** `fact value box`. */
export function factLines(text: string | Buffer, asked: Asked = {}): readonly string[] {
  return observationsIn(text, asked).flatMap((said) => {
    if (said.kind !== 'fact') return []
    const { value } = said
    const shown =
      typeof value !== 'object' || value === null
        ? String(value)
        : 'unlocode' in value
          ? value.unlocode
          : 'name' in value
            ? `${value.name} ${value.status}`
            : JSON.stringify(value)
    return [`${said.fact} ${shown} ${said.equipment ?? '-'}`]
  })
}

/** A whole interchange of one message of D.95B, or of another directory. */
export function interchange(type: string, segments: string, version = 'D:95B'): string {
  const written = segments
    .trim()
    .split('\n')
    .map((line) => `${line.trim()}'`)
  return `UNB+UNOC:3+PARTNER:ZZZ+LANDFALL:ZZZ+260318:1000+88'\nUNH+1+${type}:${version}:UN'\n${written.join('\n')}\nUNT+${written.length + 2}+1'\nUNZ+1+88'\n`
}
