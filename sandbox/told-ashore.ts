/** What a hand-written story says about its boxes on land. It replaces what chance would choose for a stay. */
import { fromLocal, MINUTE } from './local-time.ts'
import { getPlace } from './places.ts'
import { HOLD_NAMES, type Hold, type Said, type Span, type Stay } from './stay.ts'
import { readDay, readTime } from './story-time.ts'

/** For all boxes of the shipment. Null: chance decides. */
export interface ToldAshore {
  readonly port: ToldStay | null
  readonly ramp: ToldStay | null
  readonly lineLastFreeDay: Said<string> | null
}

type Lists = Pick<Stay, 'holds' | 'fees' | 'closed' | 'silent' | 'lastFreeDays' | 'spots' | 'appointments' | 'oddMoves'>
type Moments = { readonly [Name in 'knownFrom' | 'readyAt']: number | null }
export type ToldStay = Lists & Moments

export const nothingTold: ToldAshore = { port: null, ramp: null, lineLastFreeDay: null }

const nothing: ToldStay = {
  knownFrom: null,
  readyAt: null,
  holds: [],
  fees: [],
  closed: [],
  silent: [],
  lastFreeDays: [],
  spots: [],
  appointments: [],
  oddMoves: [],
}

/** The stay, with the values that the story gives. */
export function withTold(stay: Stay, told: ToldStay | null): Stay {
  if (told === null) return stay
  const { knownFrom, readyAt, ...lists } = told
  return { ...stay, ...lists, knownFrom: knownFrom ?? stay.knownFrom, readyAt: readyAt ?? stay.readyAt }
}

/** Adds one line of a story, `port …`, `ramp …` or `line …`. `README.md` explains these lines. */
export function tellAshore(
  told: ToldAshore,
  words: readonly string[],
  { day0, place }: { readonly day0: number; readonly place: string },
): ToldAshore {
  const [site, what = '', ...rest] = words
  if (site === 'line' && what === 'free') return { ...told, lineLastFreeDay: readFree(rest, day0) }
  if (site !== 'port' && site !== 'ramp') throw new Error(`cannot read "${words.join(' ')}"`)
  return { ...told, [site]: tellStay(told[site] ?? nothing, what, rest, { day0, place }) }
}

function tellStay(
  told: ToldStay,
  what: string,
  words: readonly string[],
  { day0, place }: { readonly day0: number; readonly place: string },
): ToldStay {
  const time = (from: number): number => readTime(words[from], words[from + 1], day0)
  const local = (from: number): number => fromLocal(getPlace(place).zone, time(from))
  switch (what) {
    case 'known':
      return { ...told, knownFrom: time(0) }
    case 'ready':
      return { ...told, readyAt: time(0) }
    case 'hold':
    case 'pending':
      return { ...told, holds: [...told.holds, readHold(words, what, day0)] }
    case 'fee':
      return { ...told, fees: [...told.fees, readFee(words, day0)] }
    case 'closed':
    case 'silent':
      return { ...told, [what]: [...told[what], spanOf(words, day0)] }
    case 'free':
      return { ...told, lastFreeDays: [...told.lastFreeDays, readFree(words, day0)] }
    case 'spot':
      return { ...told, spots: [...told.spots, { from: time(0), value: words[2] ?? '' }] }
    case 'slot':
      return { ...told, appointments: [...told.appointments, { from: time(0), value: local(2) }] }
    case 'says':
      return { ...told, oddMoves: [...told.oddMoves, { what: words[0] ?? '', at: local(1), place }] }
    default:
      throw new Error(`cannot read "${what} ${words.join(' ')}" of a stay`)
  }
}

/** `customs +024 10:00 +026 20:00 intensive examination` */
function readHold([named = '', ...rest]: readonly string[], status: Hold['status'], day0: number): Hold {
  const name = HOLD_NAMES.find((each) => each === named)
  if (name === undefined) throw new Error(`there is no hold "${named}"`)
  return { name, status, description: rest.slice(4).join(' '), ...spanOf(rest, day0) }
}

/** `demurrage 175 USD [daily] +030 07:00 +032 10:00`: the moments from which it is owed and at which it is paid. */
function readFee(
  [type = '', amount = '', currency = '', ...rest]: readonly string[],
  day0: number,
): Stay['fees'][number] {
  const known = ['demurrage', 'exam', 'total', 'extended_dwell_time', 'other'] as const
  const found = known.find((each) => each === type)
  if (found === undefined) throw new Error(`there is no fee "${type}"`)
  const isDaily = rest[0] === 'daily'
  const { from, until: paidAt } = spanOf(isDaily ? rest.slice(1) : rest, day0)
  const description = found === 'extended_dwell_time' ? 'DWELL' : found.toUpperCase()
  return { type: found, description, currency, amount: Number(amount), isDaily, from, paidAt }
}

/** `+027 09:00 +030`: the moment of the announcement, and the day. */
function readFree(words: readonly string[], day0: number): Said<string> {
  return { from: readTime(words[0], words[1], day0), value: readDay(words[2], day0) }
}

function spanOf(words: readonly string[], day0: number): Span {
  const [from, until] = [readTime(words[0], words[1], day0), readTime(words[2], words[3], day0)]
  if (until - from < MINUTE) throw new Error(`nothing lasts from "${words.slice(0, 4).join(' ')}"`)
  return { from, until }
}
