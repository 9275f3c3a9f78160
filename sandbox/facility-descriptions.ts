/**
 * The descriptions that an operator of Landfall gives to have the terminals and railways of the sandbox asked
 * (`docs/writing-a-terminal.md`). The product knows these facilities only by them.
 */
import { channelOf, type Facility, standCode, stationName } from './facilities.ts'
import { placeCodes, rampsOf, terminalsOf } from './places.ts'

/** Everybody may know these secrets: the world is simulated. */
export const SECRETS = {
  apiKey: 'sandbox',
  clientId: 'sandbox',
  clientSecret: 'sandbox',
  username: 'sandbox',
  password: 'sandbox',
}

/**
 * A description as an operator would write it. `inbound` is the address where the installation takes deliveries,
 * without the channel's name.
 */
export function describe(facility: Facility, origin: string, inbound: string): object {
  const { title, site, code } = facility
  return {
    name: title,
    speaker: `${site === 'port' ? 'terminal' : 'rail'}:${code}`,
    remarks: 'Part of the sandbox: a simulated world.',
    asking: askingOf(facility, origin, inbound),
    answer: site === 'port' ? terminalAnswer(facility) : railwayAnswer(facility),
  }
}

const RATE = { perSecond: 10, perMinute: 600 }

function askingOf({ name, site, workflow }: Facility, origin: string, inbound: string): object {
  const base = `${origin}/facilities/${name}`
  const hasCheckDigit = site === 'port'
  switch (workflow) {
    case 'ask':
      return {
        base,
        path: '/v1/containers/{number}',
        ...(site === 'port' && { query: { terminal: '{facility}' } }),
        auth: { keyHeaders: { 'X-Api-Key': 'apiKey' } },
        hasCheckDigit,
        rate: RATE,
      }
    case 'ask_many':
      return {
        base,
        path: '/v2/availability',
        ...(site === 'port'
          ? { query: { containers: '{numbers}' }, auth: { basic: true } }
          : {
              method: 'POST',
              body: { units: [{ initial: '{letters}', number: '{serial}' }] },
              auth: { oauth: { tokenUrl: `${base}/token`, client: 'form', scope: null, keyHeaders: {} } },
            }),
        hasCheckDigit,
        batchMax: site === 'port' ? 20 : 100,
        rate: RATE,
      }
    case 'queue':
      return {
        base,
        path: '/publish',
        method: 'POST',
        body: { containers: ['{number}'] },
        auth: { keyHeaders: { 'X-Api-Key': 'apiKey' } },
        hasCheckDigit,
        batchMax: 100,
        rate: RATE,
        queue: {
          base,
          path: '/updates/messages/head',
          keyHeaders: { Authorization: 'apiKey' },
          messagesMax: 50,
          everyMinutes: 1,
          publishAgainHours: 1,
        },
      }
    case 'subscribe':
      return {
        base,
        path: '/v1/subscriptions',
        method: 'POST',
        body: {
          callback: `${inbound}/${channelOf(name)}`,
          bearer: '{secret:channelKey}',
          containers: ['{number}'],
        },
        auth: { keyHeaders: { 'X-Api-Key': 'apiKey' } },
        hasCheckDigit,
        batchMax: 50,
        rate: RATE,
        subscription: { againHours: 1 },
      }
  }
}

const HOLDS = {
  list: '/holds/*',
  word: '/code',
  names: { FREIGHT: 'freight', CUSTOMS: 'customs', USDA: 'USDA', VACIS: 'VACIS', TMF: 'TMF', OTHER: 'other' },
  status: { at: '/status', hold: ['HOLD'], pending: ['PENDING'], released: ['RELEASED'] },
  description: '/note',
}
const FEES = {
  list: '/charges/*',
  word: '/type',
  names: {
    DEMURRAGE: 'demurrage',
    EXAM: 'exam',
    DWELL: 'extended_dwell_time',
    STORAGE: 'other',
    OTHER: 'other',
    TOTAL: 'total',
  },
  amount: '/amount',
  currency: { at: '/currency' },
}
const AVAILABLE = { at: '/available', yes: ['Y'], no: ['N'] }

/**
 * Where the boxes are in an answer: at the root when an answer or a message is about one box, otherwise in the list.
 */
function boxesOf({ workflow }: Facility, list: string): string {
  return workflow === 'ask' || workflow === 'queue' ? '' : `/${list}/*`
}

function terminalAnswer(facility: Facility): object {
  const ports = placeCodes().filter((place) => rampsOf(place).length === 0 && facility.serves(place))
  return {
    verified: true,
    stands: ports.flatMap((port): readonly object[] => {
      const terminals = terminalsOf(port)
      if (terminals.length === 0) return [{ port, code: port }]
      return terminals.map(([code]) => ({
        port,
        terminal: { list: 'SMDG', code },
        code: standCode(port, code),
      }))
    }),
    zone: 'place',
    boxes: boxesOf(facility, 'containers'),
    number: '/container',
    facility: '/terminal',
    writtenAt: { at: '/asOf' },
    // The network passes on what its terminals say, and not all of them say everything each time.
    isFullPicture: facility.workflow !== 'queue',
    blanks: ['-'],
    facts: {
      available: AVAILABLE,
      pickup_lfd_terminal: { at: '/lastFreeDay' },
      pickup_appointment: { at: '/appointment' },
      yard_location: { at: '/location' },
      chassis_number: { at: '/chassis' },
      pod_rail_carrier: { at: '/railCarrier' },
    },
    holds: [HOLDS],
    fees: [FEES],
    events: [
      {
        list: '/moves/*',
        code: '/move',
        codes: {
          DISCHARGED: 'DISC LADEN VESSEL',
          'OFF BARGE': 'DISC LADEN BARGE',
          'GATE OUT': 'GTOT LADEN',
          'RAIL LOADED': 'LOAD LADEN RAIL',
        },
        time: { at: '/at' },
      },
    ],
  }
}

function railwayAnswer(facility: Facility): object {
  const ramps = placeCodes().filter(facility.serves)
  const unlocodes = Object.fromEntries(
    placeCodes()
      .filter(isNorthAmerican)
      .map((code) => [stationName(code), code]),
  )
  return {
    verified: true,
    stands: ramps.map((port) => ({ port })),
    scacs: [facility.code],
    boxes: boxesOf(facility, 'units'),
    number: ['/initial', '/number'],
    isNumberJoined: true,
    hasCheckDigit: false,
    writtenAt: { at: '/asOf' },
    isFullPicture: true,
    facts: {
      available: AVAILABLE,
      pickup_lfd_rail: { at: '/lastFreeDay' },
      pickup_appointment: { at: '/appointment' },
      yard_location: { at: '/lot' },
      chassis_number: { at: '/chassis' },
      pickup_number: { at: '/pickupNumber' },
      pod_rail_carrier: { at: '/originCarrier' },
      destination_rail_carrier: { at: '/destinationCarrier' },
      place_of_delivery: { name: '/destination', unlocodes },
    },
    holds: [HOLDS],
    fees: [FEES],
    events: [
      {
        list: '/events/*',
        code: '/event',
        codes: {
          LOADED: 'LOAD LADEN RAIL',
          DEPARTED: 'DEPA RAIL',
          ARRIVED: 'ARRI RAIL',
          UNLOADED: 'DISC LADEN RAIL',
          'OUT-GATED': 'GTOT LADEN',
        },
        time: { at: '/at' },
        place: { name: '/station', unlocodes },
      },
      {
        says: 'ARRI RAIL',
        classifier: 'EST',
        time: { at: '/eta' },
        place: { name: '/destination', unlocodes },
      },
    ],
  }
}

function isNorthAmerican(place: string): boolean {
  return /^(US|CA)/.test(place)
}
