/**
 * Sayings in the form in which they are sent: one sending of one language, and several sendings joined into a delivery.
 */

import { fraction } from '../../sandbox/chance.ts'
import { type EdiJourney, writeCoarri, writeCodeco, writeIftsta } from '../../sandbox/edi/edifact.ts'
import { writeX12 } from '../../sandbox/edi/x12.ts'
import type { EventObservation } from '../../src/domain/statements/observation.ts'
import { writePushedEvents } from '../../tools/edi-samples/dcsa-pushed.ts'
import { writeStatements } from '../../tools/edi-samples/statements.ts'
import { carried, type Language } from './carries.ts'
import type { Saying } from './journeys.ts'

/** The profile of a channel. The times of envelopes are in UTC. */
export function profileOf(language: Language, scac: string): Readonly<Record<string, unknown>> {
  if (language === 'dcsa') return { scac }
  return language === 'x12' ? { envelopeZone: 'UTC', currency: 'USD' } : {}
}

/** What one speaker wrote about one box at one moment. When it is sent again, the bytes are the same. */
export interface Sending {
  readonly language: Language
  readonly by: Saying['by']
  readonly bytes: string
}

/** `number`: the sender's own number of the sending. Null when the language can carry none of the sayings. */
export function writeSending(language: Language, sayings: readonly Saying[], number: number): Sending | null {
  const said = sayings.flatMap((saying) => carried(language, saying) ?? [])
  const [first] = said
  if (first === undefined) return null
  return { language, by: first.by, bytes: write[language](said, first, number) }
}

type Write = (said: readonly Saying[], of: Saying, number: number) => string
const observationsOf = (said: readonly Saying[]) => said.map(({ observation }) => observation)

const write: Readonly<Record<Language, Write>> = {
  statements: (said, of) => writeStatements(observationsOf(said), of),
  dcsa: (said, of) =>
    writePushedEvents(observationsOf(said), of)
      .map((event) => JSON.stringify(event))
      .join(','),
  x12: (said, { by, bill, booking, writtenAt, observation }, control) => {
    const of = { words: by, box: observation.equipment, bill, booking, writtenAt, control }
    return `${writeX12({ ...of, said: observationsOf(said) })}`
  },
  edifact: (said, { bill, booking, writtenAt }, number) =>
    Object.entries(messagesFor(said))
      .flatMap(([type, own]) => {
        const observations = observationsOf(own)
        // Used for the interchange too, so at most 14 characters.
        const reference = `${type.slice(0, 2)}${number}`
        const journey: EdiJourney = { bill, booking, writtenAt, reference, observations }
        if (own.length === 0) return []
        return type === 'codeco'
          ? writeCodeco(journey)
          : type === 'coarri'
            ? writeCoarri(journey)
            : [writeIftsta(journey)]
      })
      .join(''),
}

/** Half of the gate and quay events are sent in their own reports, the others in an IFTSTA. */
function messagesFor(said: readonly Saying[]): Readonly<Record<'iftsta' | 'codeco' | 'coarri', readonly Saying[]>> {
  const reportOf = ({ observation }: Saying): 'iftsta' | 'codeco' | 'coarri' => {
    if (observation.kind === 'fact' || observation.classifier !== 'ACT') return 'iftsta'
    if (fraction(`report ${observation.key}`) < 0.5) return 'iftsta'
    return reportsOf(observation)
  }
  const by = Map.groupBy(said, reportOf)
  return { iftsta: by.get('iftsta') ?? [], codeco: by.get('codeco') ?? [], coarri: by.get('coarri') ?? [] }
}

function reportsOf({ code, mode }: EventObservation): 'iftsta' | 'codeco' | 'coarri' {
  if (code === 'GTIN' || code === 'GTOT') return 'codeco'
  return (code === 'LOAD' || code === 'DISC') && (mode === 'VESSEL' || mode === 'BARGE') ? 'coarri' : 'iftsta'
}

/** Joins sendings of one language into one delivery. */
export function joinSendings(language: Language, sendings: readonly Pick<Sending, 'bytes'>[]): Buffer {
  const bytes = sendings.map((each) => each.bytes)
  return Buffer.from(language === 'dcsa' ? `[${bytes.join(',')}]` : bytes.join(''))
}
