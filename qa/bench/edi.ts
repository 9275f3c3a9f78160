/**
 * How fast X12 and EDIFACT are read and how many files are accepted, compared with npm packages for the same formats;
 * and how much memory it takes.
 */

import EdifactParser from 'edifact/parser.js'
import EdifactReader from 'edifact/reader.js'
import { X12Parser } from 'node-x12'
import { readMessages as readEdifactMessages } from '../../src/connectors/edifact/messages.ts'
import { readSegments as readEdifactSegments } from '../../src/connectors/edifact/segments.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import { readMessages as readX12Messages } from '../../src/connectors/x12/messages.ts'
import { isFault, readSegments as readX12Segments } from '../../src/connectors/x12/segments.ts'
import { manyEdifact, manyX12, samplesOf } from './edi-load.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'
import { runProgram } from './program.ts'
import { isFull } from './size.ts'

type Language = 'x12' | 'edifact'
const rounds = 5
const packages = {
  x12: { name: 'node-x12', write: manyX12, ratioMin: 0.75 },
  // The ratio is lower because this package passes on texts and does not record their positions.
  edifact: { name: 'edifact', write: manyEdifact, ratioMin: 0.25 },
} as const

export async function benchEdi(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const language of ['x12', 'edifact'] as const) {
    const { write, ratioMin } = packages[language]
    const count = isFull() ? 50_000 : 5_000
    const body = write(count)
    progress(`edi: ${count} messages of ${language}, ${(body.length / 1e6).toFixed(1)} MB`)
    const of = { language, body, count }
    figures.push(await measure({ ...of, ratioMin }, 'messages and segments', ours[language].tokenize))
    figures.push(
      await measure({ ...of, ratioMin: null }, 'parts cut, and each read to its observations', (each) =>
        readAll(language, each),
      ),
    )
    figures.push(accepted(language))
  }
  for (const language of ['x12', 'edifact', 'ship'] as const) figures.push(await memory(language))
  return figures
}

/** Our readers: each returns the number of whole messages. */
const ours = {
  x12: {
    tokenize: (body: Buffer): number => {
      let whole = 0
      for (const item of readX12Messages(readX12Segments([body])))
        if (!isFault(item) && item.kind === 'message' && item.isWhole) whole += 1
      return whole
    },
  },
  edifact: {
    tokenize: (body: Buffer): number => {
      let whole = 0
      const note = () => {}
      for (const message of readEdifactMessages(readEdifactSegments([body], note), note))
        if (message.isWhole) whole += 1
      return whole
    },
  },
} as const

/** The packages, each reading into its own objects. They throw their own errors. */
const theirs = {
  x12: (body: Buffer, isStrict = false): number => {
    const read = new X12Parser(isStrict).parse(body.toString('latin1'))
    const all = 'interchanges' in read ? read.interchanges : [read]
    return all.flatMap(({ functionalGroups }) => functionalGroups).flatMap(({ transactions }) => transactions).length
  },
  /** Without the package's check of elements, which refuses messages with elements that senders often leave out. */
  edifact: (body: Buffer): number => {
    const segments: { readonly name: string; readonly elements: string[][] }[] = []
    const parser = new EdifactParser()
    parser.encoding('UNOC')
    parser.onopensegment = (name) => void segments.push({ name, elements: [] })
    parser.onelement = () => void segments.at(-1)?.elements.push([])
    parser.oncomponent = (text) => void segments.at(-1)?.elements.at(-1)?.push(text)
    parser.write(body.toString('latin1'))
    parser.end()
    return segments.filter(({ name }) => name === 'UNH').length
  },
} as const

function readChecked(body: Buffer): number {
  const read = new EdifactReader({ autoDetectEncoding: true }).parse(body.toString('latin1'))
  return read.filter(({ name }) => name === 'UNH').length
}

function readAll(language: Language, body: Buffer): number {
  const source = findPushedSource(language)
  if (source === null) throw new Error(`no channel can have the language ${language}`)
  const { parts } = source.splitDelivery(body, {})
  for (const part of parts) {
    const [subject] = part.about
    if (subject === undefined) throw new Error('a part names no number')
    const snapshot = {
      status: 200,
      contentType: null,
      body: part.body,
      fetchedAt: '2026-03-10T00:00:00.000Z',
    }
    source.read(snapshot, { speaker: 'shipping_line', messageSubject: subject }, {})
  }
  return parts.length
}

async function measure(
  of: {
    readonly language: Language
    readonly body: Buffer
    readonly count: number
    /** Null when there is no aim, because the package does less work. */
    readonly ratioMin: number | null
  },
  what: string,
  work: (body: Buffer) => number,
): Promise<Figure> {
  const { language, body, count, ratioMin } = of
  const timed = (run: (body: Buffer) => number) => async () => {
    const seconds = await secondsOf(async () => {
      const found = run(body)
      if (found !== count) throw new Error(`${found} of ${count} messages were found`)
    })
    return count / seconds
  }
  for (const run of [work, theirs[language]]) run(body)
  const sides = await alternate(rounds, { ours: timed(work), limit: timed((each) => theirs[language](each)) })
  const ratio = medianRatio(sides)
  const megabytes = (perSecond: number) => ((perSecond * body.length) / count / 1e6).toFixed(2)
  return {
    bench: 'edi',
    what: `${language}: ${what}`,
    unit: 'messages/s',
    figure: median(sides.ours),
    limit: {
      what: `the package ${packages[language].name} to its own objects, the same bytes`,
      value: median(sides.limit),
    },
    ratio,
    aim: ratioMin === null ? 'measured: the package stops where this begins' : `ratio at least ${ratioMin}`,
    isMet: ratioMin === null || ratio >= ratioMin,
    note:
      `${rounds} rounds of ${count} messages, ${(body.length / 1e6).toFixed(1)} MB; ${megabytes(median(sides.ours))} MB/s ` +
      `against ${megabytes(median(sides.limit))} MB/s; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}

/** The share of the samples in which every message that begins is found. */
function accepted(language: Language): Figure {
  const files = samplesOf(language)
  const begins = language === 'x12' ? /(?:^|[~\r\n'])\s*ST[^A-Za-z0-9\s]/g : /\bUNH[^A-Za-z0-9\s]/g
  const share = (read: (body: Buffer) => number): number =>
    files.filter((body) => {
      try {
        return read(body) === (body.toString('latin1').match(begins)?.length ?? 0)
      } catch {
        // The reader refused the file, so the file does not count as accepted.
        return false
      }
    }).length
  const [own, other] = [share(ours[language].tokenize), share((body) => theirs[language](body))]
  const strict = share((body) => (language === 'x12' ? theirs.x12(body, true) : readChecked(body)))
  const percent = (count: number) => (100 * count) / files.length
  return {
    bench: 'edi',
    what: `${language}: sample files of which every message is found`,
    unit: '%',
    figure: percent(own),
    limit: { what: `the package ${packages[language].name}, the same files`, value: percent(other) },
    ratio: other === 0 ? null : own / other,
    aim: 'all',
    isMet: own === files.length,
    note: `${own} of ${files.length} files, ${packages[language].name} ${other}, with its checks ${strict}`,
    postgres: null,
  }
}

const growthMax = 50

/**
 * The memory that a delivery needs while it is cut into parts, above what the process had before, relative to the
 * delivery's bytes.
 */
async function memory(load: Language | 'ship'): Promise<Figure> {
  const segments = isFull() ? 1_000_000 : 200_000
  progress(`edi: memory of ${load}, ${segments} segments`)
  const told = await runProgram<{
    readonly bytes: number
    readonly peak: number
    readonly parts: number
    readonly seconds: number
  }>(new URL('./edi-memory.ts', import.meta.url), { load, segments })
  const mb = (bytes: number) => bytes / 1_048_576
  const ratio = told.peak / told.bytes
  return {
    bench: 'edi',
    what: `${load === 'ship' ? 'one COARRI of a ship' : load}: memory while a delivery of ${segments.toLocaleString('en-US')} segments is cut`,
    unit: 'MB',
    figure: mb(told.peak),
    limit: { what: 'the bytes of the delivery', value: mb(told.bytes) },
    ratio,
    aim: `at most ${growthMax} times its bytes`,
    isMet: ratio <= growthMax,
    note: `${told.parts} parts in ${told.seconds.toFixed(1)} s; highest resident memory of a process of its own, less what it had before`,
    postgres: null,
  }
}
