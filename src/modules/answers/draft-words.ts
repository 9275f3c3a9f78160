/** The words of people for what a date or a number is about, and for what has happened to a container. */

import type { ContainerStatus } from '../../domain/view/projection.ts'

/** It is said of days, of a number such as that of a seal, of money, or of a length of time. */
export type TopicKind = 'day' | 'number' | 'money' | 'length'
type TopicRow = readonly [words: RegExp, attributes: RegExp, kind: TopicKind]

const arrivals = /(?<!original)_[ea]ta_at$|(?:^|_)arrived|_berthed$|^estimate_by_landfall$/
const arrived = /_ata_at$|(?:^|_)arrived(?:_at|_at_inland_destination)?$|_berthed$/

/** Words in lower case, and the names of the values that they mean. Of two at one place the longer text counts. */
const topicTable = {
  free_day: [
    /last free days?|\blfds?\b|free time|free until|pick(?:ed)?[- ]?up (?:by|before|until)\b/g,
    /lfd|^free_until$/,
    'day',
  ],
  own_estimate: [/landfall['’]s (?:own )?(?:estimate|eta)|own estimate/g, /^estimate_by_landfall$/, 'day'],
  eta: [
    /\betas?\b|\bestimated (?:time of )?arrival\b/g,
    /(?<!original)_eta_at$|arriv\w*_estimate$|^estimate_by_landfall$/,
    'day',
  ],
  arrived: [/\b(?:arrived|atas?|berthed|reached)\b/g, arrived, 'day'],
  arrival: [/\b(?:arriv(?:e|es|al|als|ing)|reach(?:es|ing)?|berths|due)\b/g, arrivals, 'day'],
  etd: [/\betds?\b|\bestimated (?:time of )?departure\b/g, /^pol_etd_at$|departed_estimate$/, 'day'],
  departed: [/\b(?:departed|sailed|atds?|(?<!days? |hours? )left)\b/g, /_atd_at$|departed(?:_at)?$/, 'day'],
  departure: [/\b(?:depart(?:s|ure|ures|ing)?|sail(?:s|ing)?|leav(?:es|ing))\b/g, /_[ea]td_at$|departed/, 'day'],
  discharge: [/(?<!port of |place of )\b(?:discharg|unload)\w*/g, /discharged(?:_at)?$|unloaded/, 'day'],
  loading: [/(?<!port of |place of )\b(?:re)?load(?:ed|ing|s)?\b/g, /(?:_|^)loaded(?:_at)?$/, 'day'],
  appointment: [/\b(?:pick-?up )?appointments?\b/g, /appointment/, 'day'],
  pick_up: [
    /\bpick(?:s|ed|ing)?[- ]?up\b|\bgated? ?-?out\b|\bout-?gated?\b|\bfull[- ]out\b|\bcollected\b/g,
    /full_out|^picked_up$/,
    'day',
  ],
  gate_in: [/\bgated? ?-?in\b|\bin-?gated?\b|\bfull[- ]in\b/g, /full_in/, 'day'],
  empty_out: [/\bempty (?:out|pick-?up|released?)\b/g, /empty_out/, 'day'],
  return: [/\b(?:empty )?return(?:ed|s)?\b|\bempty[- ]in\b/g, /^empty_(?:terminated|in$|return_by)/, 'day'],
  delivery: [/\bdeliver(?:ed|y)\b/g, /^delivered/, 'day'],
  cut_off: [/\bcut[- ]?offs?\b/g, /cut_off/, 'day'],
  general_order: [/\bgeneral order\b/g, /general_order/, 'day'],
  availability: [/\bavailable\b/g, /^available$/, 'day'],
  delay: [/\b(?:late|later|delay\w*|slip\w*|behind|early|earlier)\b/g, /^slip_since_/, 'length'],
  transit: [/\btransit time\b/g, /^transit$/, 'length'],
  rate: [/\b(?:per|an?|each) day\b|\bdaily\b|\/ ?day\b/g, /^rate$/, 'money'],
  charges: [/\b(?:owed?|owes|accru\w*|charge(?:s|d|able))\b/g, /^charges$|^fees_/, 'money'],
  fees: [/\bfees?\b/g, /^fees_/, 'money'],
  seal: [/\bseals?\b/g, /^seal_number$/, 'number'],
  voyage: [/\bvoyages?\b|\bvoy\b/g, /voyage/, 'number'],
  ship_number: [/\bimo\b/g, /imo/, 'number'],
  chassis: [/\bchassis\b/g, /chassis/, 'number'],
  in_bond: [/\b(?:it|in-bond) number\b/g, /^it_number$/, 'number'],
  /** Found by `originally` beside an arrival. */
  original: [/(?!)/g, /original/, 'day'],
} as const satisfies Readonly<Record<string, TopicRow>>
export type Topic = keyof typeof topicTable
export const topics: Readonly<Record<Topic, TopicRow>> = topicTable

/** Before a date of arrival: the first estimate is meant. */
export const originally = /\b(?:original(?:ly)?|initial(?:ly)?|at first|first (?:estimate\w*|announced|planned|eta))\b/

interface StatusRow {
  readonly words: RegExp
  /** The value that proves it. */
  readonly proof?: RegExp
  /** The same at a port on the way: it counts where the sentence names that port. */
  readonly onTheWay?: RegExp
  /** Or the container has one of these statuses. */
  readonly those?: readonly ContainerStatus[]
}

const inTransit: readonly ContainerStatus[] = ['on_ship', 'awaiting_inland_transfer', 'on_rail', 'off_dock']
const out: readonly ContainerStatus[] = ['picked_up', 'delivered', 'dropped', 'empty_returned']

const statusTable = {
  discharged: { words: /\b(?:discharged|unloaded)\b/g, proof: /^pod_discharged_at$/, onTheWay: /_discharged$/ },
  loaded: {
    words: /\bloaded(?: (?:on|onto|aboard)(?: (?:the )?(?:ship|vessel|board))?)?\b/g,
    proof: /^pol_vessel_loaded_at$/,
    onTheWay: /_loaded$/,
  },
  departed: {
    words: /\b(?:departed|sailed)\b|\bleft (?:the )?(?:port|origin)\b/g,
    proof: /^pol_vessel_departed_at$/,
    onTheWay: /_departed$/,
  },
  arrived: { words: /\b(?:arrived|berthed)\b/g, proof: /^pod_arrived_at$/, onTheWay: arrived },
  picked_up: { words: /\b(?:picked[- ]up|gated[- ]out|out-?gated|collected)\b/g, proof: /full_out_at$/, those: out },
  delivered: { words: /\bdelivered\b/g, proof: /^delivered_at$/ },
  returned: { words: /\breturned(?: empty)?\b|\bempty[- ]returned\b/g, proof: /^empty_terminated_at$/ },
  on_ship: { words: /\b(?:on (?:the )?(?:ship|vessel|water|board)|at sea|aboard|on_ship)\b/g, those: ['on_ship'] },
  in_transit: { words: /\b(?:in transit|en route|under ?way)\b/g, those: inTransit },
  on_rail: { words: /\bon (?:the )?(?:rail|train)\b|\bon_rail\b/g, those: ['on_rail'] },
  grounded: { words: /\bgrounded\b/g, those: ['grounded'] },
  off_dock: { words: /\boff[- ]dock\b/g, those: ['off_dock'] },
  dropped: { words: /\bdropped\b/g, those: ['dropped'] },
  available: { words: /\bavailable\b|\bready (?:for|to be) (?:pick(?:ed)?|collect)[- ]?(?:up|ion|ed)?\b/g },
  held: { words: /\b(?:on (?:an? )?)?(?:(?:customs|freight|usda|vacis|tmf) )?holds?\b|\bheld\b/g },
  released: { words: /\bcleared (?:by )?customs\b|\bcustoms[- ](?:cleared|released?)\b|\breleased by customs\b/g },
  late: { words: /\b(?:delayed|late(?! (?:in )?[a-z]*(?:ary|ch|il|may|june|july|ust|ber)\b)|behind schedule)\b/g },
  on_time: { words: /\b(?:on time|on schedule)\b/g },
  early: { words: /\b(?:early(?! (?:in )?[a-z]*(?:ary|ch|il|may|june|july|ust|ber)\b)|ahead of schedule)\b/g },
  rolled: { words: /\b(?:rolled(?: over)?|missed (?:the|its) (?:sailing|vessel))\b/g },
  cancelled: { words: /\bcancell?ed\b/g },
} as const satisfies Readonly<Record<string, StatusRow>>
export type DraftStatus = keyof typeof statusTable
export const statuses: Readonly<Record<DraftStatus, StatusRow>> = statusTable

/** Before a status in its clause: it is not stated, but awaited, required or supposed. */
export const notStated =
  /\b(?:will|would|shall|should|may|might|can|could|must|needs?|if|once|when|until|unless|before|whether|to be|to have|expected|scheduled|planned|going to|ready to|as soon as)\b/
/** Too fine to be read: nothing is said of such a status. */
export const doubtful =
  /\b(?:hardly|barely|almost|nearly|part(?:ly|ially)|neither|nor|only|except|some|most|half|probably|likely|perhaps|maybe|apparently|seems?|appears?|reportedly|unclear|unknown|confirm)\b/
export const negations = /\b(?:not|no(?!\.)|never|without|free of|none|cannot|nothing)\b|n['’]t\b/g
/** `Holds: none`. */
export const answeredNo = /^[\s:|=*–—-]{1,6}(?:none|no|not yet|nil|0)\b/
export const answeredUnclear = /^[\s:|=*–—-]{1,6}(?:unknown|n\/a|not (?:known|reported))/
export const lifted = /^[^,;.]{0,30}\b(?:released|lifted|cleared|removed)\b/
/** Before `on board`: it was so then, and need not be so now. */
export const past = /\b(?:sailed|departed|left|loaded|arrived|travell?ed|shipped|was|were)\b/
/** What is available is then no container. */
export const otherThing =
  /\b(?:et[ad]s?|information|data|dates?|details?|updates?|estimates?|fees?|amounts?|rates?|weights?|values?|holds|position|tracking|free day|lfd)\b/
/** Before a date: when it was said. */
export const timeOfStatement = /\b(?:updated?|checked|as of|as at|reported|retrieved|said|stated)(?: on)?[:\s]*$/

/** Amounts are compared in the unit of the record. `$` may be the sign of several currencies. */
const unitTable: readonly (readonly [words: string, units: readonly string[], scale: number])[] = [
  ['kgs?|kilograms?|kilos?', ['kg'], 1],
  ['tons?|tonnes?|t|mt', ['kg'], 1_000],
  ['lbs?|pounds?', ['kg'], 0.45359237],
  ['hours?|hrs?|h', ['hours'], 1],
  ['(?:calendar |working |charged |chargeable )?days?', ['hours'], 24],
  ['weeks?', ['hours'], 168],
  ['knots?|kn|kts?', ['knots'], 1],
  ['containers?|boxes', ['containers'], 1],
  ['(?:customs |terminal |active )?holds?', ['holds'], 1],
  ["ft|feet|foot|'|hc|hq|gp|dv|dc", ['feet'], 1],
  ['us\\$', ['USD'], 1],
  ['\\$|dollars?', ['USD', 'CAD', 'AUD', 'SGD', 'HKD', 'NZD', 'MXN'], 1],
  ['€|euros?', ['EUR'], 1],
  ['£', ['GBP'], 1],
  ['¥', ['JPY', 'CNY'], 1],
]
export const unitWords = unitTable.map(([words]) => words).join('|')
const unitPatterns = unitTable.map(([words, units, scale]) => ({
  pattern: new RegExp(`^(?:${words})$`, 'i'),
  units,
  scale,
}))

export function findUnit(text: string): { readonly units: readonly string[]; readonly scale: number } | null {
  return unitPatterns.find(({ pattern }) => pattern.test(text)) ?? null
}

export const numberWords = 'zero one two three four five six seven eight nine ten'.split(' ')
/** With a capital, as drafts write them: `may` is another word. */
export const months = 'January February March April May June July August September October November December'.split(' ')
export const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
