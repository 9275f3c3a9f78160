/** Finds the kind of a document: first by its title, then by words that only one kind has. */

import { type ReadableType, readableTypes } from '../document.ts'
import { plainWords } from './find-labelled.ts'
import type { Layout, TextRun } from './runs.ts'

export interface DocumentClassification {
  readonly type: ReadableType | 'unknown'
  /** 0 to 1. */
  readonly confidence: number
  /** The words that decided, in a sentence. */
  readonly notes: string
}

interface TypeKeywords {
  /** A title: as a complete run, or at its beginning. */
  readonly titles: readonly string[]
  /** Words that documents of this kind contain, at any place. */
  readonly words: readonly string[]
}

const signs: Readonly<Record<ReadableType, TypeKeywords>> = {
  bill_of_lading: {
    titles: [
      'bill of lading',
      'ocean bill of lading',
      'combined transport bill of lading',
      'multimodal bill of lading',
      'original bill of lading',
      'port to port or combined transport bill of lading',
      'bill of lading for ocean transport',
      'bill of lading for combined transport',
      'master bill of lading',
      'multimodal transport bill of lading',
    ],
    words: [
      'shipped on board',
      'said to contain',
      'number of original',
      'originals',
      'to order',
      'in witness whereof',
      'place of receipt',
      'freight payable at',
      'signed for the carrier',
      'laden on board',
      'particulars furnished by',
    ],
  },
  sea_waybill: {
    titles: [
      'sea waybill',
      'seawaybill',
      'waybill',
      'non negotiable waybill',
      'non negotiable sea waybill',
      'express waybill',
      'express release waybill',
      'ocean waybill',
    ],
    words: ['non negotiable', 'waybill', 'not a document of title', 'place of receipt', 'said to contain'],
  },
  arrival_notice: {
    titles: [
      'arrival notice',
      'notice of arrival',
      'import arrival notice',
      'freight arrival notice',
      'arrival notice freight invoice',
      'arrival notification',
      'cargo arrival notice',
      'pre arrival notice',
      'arrival advice',
      'advice of arrival',
    ],
    words: [
      'last free day',
      'free time',
      'expected to arrive',
      'will arrive',
      'due to arrive',
      'general order',
      'it number',
      'pick up',
      'cargo release',
      'please be advised',
      'customs clearance',
      'estimated arrival',
    ],
  },
  delivery_order: {
    titles: [
      'delivery order',
      'pick up order',
      'pickup order',
      'freight release',
      'cargo release order',
      'd o',
      'release order',
      'order to deliver',
      'carrier s certificate and delivery order',
      'delivery instructions',
      'release for delivery',
    ],
    words: [
      'please deliver',
      'deliver to',
      'release',
      'trucker',
      'haulier',
      'pick up',
      'authorized to',
      'hand over',
      'pin',
      'valid until',
      'hereby release',
      'inland carrier',
    ],
  },
  booking_confirmation: {
    titles: [
      'booking confirmation',
      'booking acknowledgement',
      'booking advice',
      'confirmation of booking',
      'booking confirmed',
      'booking acknowledgment',
      'booking receipt notice',
    ],
    words: [
      'cut off',
      'empty pick up',
      'vgm',
      'shipping instructions',
      'we confirm',
      'your booking',
      'etd',
      'closing',
      'intended vessel',
      'equipment ordered',
      'booked by',
    ],
  },
  commercial_invoice: {
    titles: ['commercial invoice', 'export invoice', 'trade invoice', 'invoice for customs'],
    words: [
      'unit price',
      'hs code',
      'country of origin',
      'incoterms',
      'terms of payment',
      'buyer',
      'seller',
      'quantity',
      'bank',
      'price per unit',
      'tariff heading',
    ],
  },
  packing_list: {
    titles: [
      'packing list',
      'packing slip',
      'packing note',
      'detailed packing list',
      'list of packages',
      'packing specification',
    ],
    words: ['net weight', 'carton', 'cartons', 'gross weight', 'measurement', 'dimensions', 'pallets', 'pcs', 'marks'],
  },
  demurrage_invoice: {
    titles: [
      'demurrage invoice',
      'detention invoice',
      'demurrage and detention invoice',
      'demurrage detention invoice',
      'per diem invoice',
      'invoice demurrage',
      'import demurrage invoice',
      'invoice for demurrage',
      'invoice for detention',
      'demurrage bill',
      'detention and demurrage invoice',
      'storage invoice',
      'charges for demurrage',
    ],
    words: [
      'demurrage',
      'detention',
      'per diem',
      'free time',
      'rate per day',
      'daily rate',
      'chargeable days',
      'dispute',
      'federal maritime commission',
      '46 cfr',
      'mitigation',
    ],
  },
}

/** Weight of a title, by where and how it is printed, and of a word of the kind. */
const weights = { title: 6, prominent: 6, begins: 2, word: 0.6, wordsMax: 4 }

export function classifyDocument(layout: Layout): DocumentClassification {
  const prints = layout.runs.map(({ box }) => box.bottom - box.top).sort((one, other) => one - other)
  const usual = prints[Math.floor(prints.length / 2)] ?? 0
  const text = ` ${layout.runs.map(({ text: of }) => plainWords(of).join(' ')).join(' ')} `
  const titles = layout.runs
    .filter(({ page, words }) => page === 1 && words.length <= 12)
    .map((run) => ({ run, plain: plainWords(run.text).join(' ') }))
  const scored = readableTypes
    .map((type) => scoreOf(type, { titles, text, usual }))
    .sort((one, other) => other.score - one.score)
  const [best, second] = scored
  if (best === undefined || best.score < 4)
    return {
      type: 'unknown',
      confidence: 0,
      notes: 'No title and too few words of any kind of document were found.',
    }
  const secondScore = second?.score ?? 0
  const confidence = Math.min(
    0.99,
    (best.score / (best.score + secondScore + 1.5)) * Math.min(1, 0.55 + best.score / 22),
  )
  return { type: best.type, confidence: Math.round(confidence * 100) / 100, notes: notesOf(best) }
}

interface TypeScore {
  readonly type: ReadableType
  readonly score: number
  readonly title: string | null
  readonly words: readonly string[]
}

function scoreOf(
  type: ReadableType,
  of: {
    readonly titles: readonly { readonly run: TextRun; readonly plain: string }[]
    readonly text: string
    readonly usual: number
  },
): TypeScore {
  const { titles, words } = signs[type]
  let [best, title]: [number, string | null] = [0, null]
  for (const { run, plain } of of.titles)
    for (const each of titles) {
      const weight = titleWeight(run, { plain, title: each, usual: of.usual })
      if (weight > best) [best, title] = [weight, each]
    }
  const found = words.filter((each) => of.text.includes(` ${each} `))
  return { type, score: best + Math.min(weights.wordsMax, found.length * weights.word), title, words: found }
}

function titleWeight(
  run: TextRun,
  { plain, title, usual }: { readonly plain: string; readonly title: string; readonly usual: number },
): number {
  const isWhole =
    plain === title || plain === `${title} copy` || plain === `${title} original` || plain === `original ${title}`
  if (!isWhole && !plain.startsWith(`${title} `) && !plain.endsWith(` ${title}`)) return 0
  const isLarge = run.box.bottom - run.box.top > usual * 1.2
  const isHigh = run.box.top < 0.22
  // A label such as `BILL OF LADING NO` is on nearly every paper; it is a title only where it is printed as one.
  if (!isWhole) return isLarge && isHigh ? weights.prominent - 1 + title.length / 100 : weights.begins / 4
  // Of `DEMURRAGE INVOICE` and `INVOICE` the longer title counts.
  const length = title.length / 100
  if (isLarge && isHigh) return weights.title + weights.prominent + length
  if (isLarge || isHigh) return weights.title + length
  return weights.begins
}

function notesOf({ title, words }: TypeScore): string {
  const named = words.slice(0, 4).map((word) => `"${word}"`)
  const byWords = named.length === 0 ? '' : ` words: ${named.join(', ')}`
  if (title === null) return `Recognised by${byWords}.`
  return `Recognised by the title "${title}"${byWords === '' ? '' : ` and the${byWords}`}.`
}
