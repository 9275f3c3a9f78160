/**
 * Named scenarios: each hand-written story also runs under numbers of its own, `SBX-ROLLOVER-01` to `-10`, the same in
 * every world. The first begins with the world, each next one ten days later. So when a sandbox is started, 01 to 09
 * are at nine stages of the same journey, and 10 begins.
 */
import { DAY } from './local-time.ts'
import { checkDigit } from './numbers.ts'
import type { Box, Shipment } from './shipment.ts'
import { storyNames, tellStory } from './story.ts'

const INSTANCES = 10
const DAYS_APART = 10
const FIRST_SERIAL = 600_000

/** Key: the scenario's name. Value: the story, and what it shows. */
const NAMED: Readonly<Record<string, readonly [story: string, shows: string]>> = {
  PLAIN: ['plain_import', 'a direct import, from booking to the return of the empty box'],
  TRANSSHIP: ['transshipment', 'the cargo changes ship'],
  FEEDER: ['feeder_then_mother', 'a feeder ship brings the box to the mother vessel'],
  SAMEPORT: ['same_port_twice', 'the ship calls at the same port twice'],
  ROLLOVER: ['rolled', 'the box misses its ship and sails a week later on another'],
  SLIPS: ['eta_slips', 'the estimated arrival slips in three steps, then happens'],
  DIVERTED: ['diverted', 'the port of discharge changes while the ship is at sea'],
  CORRECTED: ['corrected', 'the line corrects the time of a departure'],
  RETRACTED: ['retracted', 'the line takes a discharge back'],
  NODEPARTURES: ['no_departures', 'a line that tells of no departures and arrivals'],
  DAYONLY: ['day_only_date_line', 'a line that tells days and no hours, across the date line'],
  REUSED: ['container_reused', 'the same box goes twice'],
  RAIL: ['rail_interchange', 'by rail to the interior, handed over on the way'],
  RAILTWICE: ['rail_arrival_twice', 'the arrival of the train is told twice, with two times'],
  BERTH: ['berthed', 'the ship lies in the roads before it comes to its berth'],
  FATES: ['different_fates', 'three boxes on one bill: delivered, a week behind, still on the quay'],
  LATEBOXES: ['boxes_named_late', 'the boxes of a booking are named after the ship has sailed'],
  LATEBILL: ['bill_entered_late', 'the bill is entered after departure; what was before is never told'],
  MANIFEST: ['late_manifest', 'the bill is not known before it is manifested'],
  CANCELLED: ['cancelled', 'the booking is cancelled'],
  FUTURE: ['dated_ahead', 'an arrival is told as happened days before it can be'],
  REVERSED: ['told_backwards', 'the line tells everything late, the last thing first'],
  CONTRADICTED: [
    'terminal_contradicts',
    'the line tells a discharge and a collection too early; the terminal says when they truly were',
  ],
  HOLDS: ['holds_set_anew', 'holds are expected, set, lifted and set anew; fees are told singly and in total'],
  AVAILABLE: ['available_and_not', 'the box may be had, then not, then again, though nothing holds it'],
  YARDS: ['yards_swing', 'the foretold berth swings between sisters; on the quay the box is moved to and fro'],
  RAILFREE: ['rail_free_later', "the ramp's last free day is later than the line's"],
  UNKNOWNCODE: [
    'words_unknown',
    'the line tells a happening and a terminal, the terminal a happening, by codes that nobody knows',
  ],
  UNKNOWNPLACE: ['place_unknown', 'the cargo changes ship at a place that nobody knows'],
  EARLYEMPTY: ['empty_before_out', 'an empty return is told while the full box stands on the quay'],
  BARGE: ['barge', 'a barge brings the box to the ship'],
  RESUMED: [
    'returned_too_early',
    'an empty return is told, tracking ends, and the terminal tells of the collection only then',
  ],
  NAMESAKE: ['namesake', "a port's right code stands beside the name of another town"],
  LEFTOUT: [
    'holds_left_out',
    'for a day the terminal leaves out of its answers what holds the box, and holds it still',
  ],
}

export interface NamedScenario {
  readonly name: string
  readonly scac: string
  readonly shows: string
  /** The first of its numbers, and the kind of number. */
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
  readonly instances: number
}

/** The stories that have no name. A test checks that there are none. */
export function unnamedStories(): readonly string[] {
  const named = new Set(Object.values(NAMED).map(([story]) => story))
  return storyNames().filter((story) => !named.has(story))
}

export function namedScenarios(): readonly NamedScenario[] {
  return Object.entries(NAMED).map(([name, [, shows]]) => {
    const shipments = tellNamed(name, 1, 0)
    const shipment = shipments.at(-1)
    if (shipment === undefined) throw new Error(`the scenario ${name} has no shipment`)
    const { line, booking, bill, boxes, billKnownAt } = shipment
    const { kinds, scac } = line
    const asked =
      kinds.includes('bill_of_lading') && billKnownAt !== null
        ? ({ kind: 'bill_of_lading', number: bill } as const)
        : kinds.includes('booking')
          ? ({ kind: 'booking', number: booking } as const)
          : ({ kind: 'container', number: boxes[0]?.number ?? '' } as const)
    return { name, scac, shows, ...asked, instances: INSTANCES }
  })
}

/** The scenarios of a world that began at `epoch`. Each is made when somebody first asks for one of its numbers. */
export class Named {
  private readonly day0: number
  private readonly told = new Map<string, readonly Shipment[]>()

  constructor(epoch: number) {
    this.day0 = Math.floor(epoch / DAY) * DAY
  }

  /** The shipments of the scenario and stage that a number belongs to. Empty for any other number. */
  of(number: string): readonly Shipment[] {
    const place = placeOf(number)
    if (place === null) return []
    const [name, instance] = place
    const key = `${name} ${instance}`
    const told = this.told.get(key) ?? tellNamed(name, instance, this.day0)
    this.told.set(key, told)
    return told
  }
}

/** Reads the scenario and the stage from the number: from its text, or from the serial of a box. */
function placeOf(number: string): readonly [name: string, instance: number] | null {
  const [, written = '', stage = ''] = /^SBX([A-Z]+)(\d\d)(?:P\d+)?$/.exec(number) ?? []
  const serial = /^[A-Z]{4}\d{7}$/.test(number) ? Number(number.slice(4, 10)) - FIRST_SERIAL : -1
  const name = serial < 0 ? written : (Object.keys(NAMED)[Math.floor(serial / 1_000)] ?? '')
  const instance = serial < 0 ? Number(stage) : Math.floor((serial % 1_000) / 10)
  return NAMED[name] === undefined || instance < 1 || instance > INSTANCES ? null : [name, instance]
}

function tellNamed(name: string, instance: number, day0: number): readonly Shipment[] {
  const [story = ''] = NAMED[name] ?? []
  const number = `SBX${name}${String(instance).padStart(2, '0')}`
  const parts = tellStory(story, number, day0 + (instance - 1) * DAYS_APART * DAY)
  return parts.map((shipment, part) => {
    // In a story with several shipments, the last one has the number itself.
    const own = part === parts.length - 1 ? number : `${number}P${part + 1}`
    return {
      ...shipment,
      booking: own,
      bill: own,
      boxes: shipment.boxes.map((box) => renumber(box, name, instance)),
    }
  })
}

/** Keeps the owner code. The serial encodes the scenario and the stage, so that it is the same in every world. */
function renumber(box: Box, name: string, instance: number): Box {
  const place = Object.keys(NAMED).indexOf(name)
  const serial = FIRST_SERIAL + place * 1_000 + instance * 10 + (Number(box.number.slice(4, 10)) % 10)
  const body = `${box.number.slice(0, 4)}${serial}`
  return { ...box, number: body + String(checkDigit(body)) }
}

/** People write `SBX-ROLLOVER-01`; programs leave out the hyphens. */
export function withoutHyphens(number: string): string {
  return number.startsWith('SBX') ? number.replaceAll('-', '') : number
}
