// The parts of docs/sources.md that are written from data: each line's access, and what is read of its answers.
import { allShippingLines } from '../src/reference/shipping-lines.ts'
import { secretNames } from '../src/sources/dcsa/profile.ts'
import { type LineProfile, lineProfiles } from '../src/sources/dcsa/profiles/lines.ts'
import { writeAnswers } from './sources-page-answers.ts'

const written = 'written by `node tools/run.mjs tools/sources-page.ts`'
const parts = [
  { name: 'lines', from: 'the profiles', write: table },
  { name: 'answers', from: 'test/sources/dcsa/fixtures', write: writeAnswers },
] as const

/** The page with those parts as the profiles and the fixtures are now. */
export function writeSourcesPage(page: string): string {
  return parts.reduce((text, { name, from, write }) => {
    const [begin, end] = [`<!-- ${name}: ${written} from ${from}; change them there -->`, `<!-- /${name} -->`]
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)]
    if (start < 0 || stop < start) throw new Error(`docs/sources.md lacks the marks of its ${name}`)
    return `${text.slice(0, start + begin.length)}\n${write()}\n${text.slice(stop)}`
  }, page)
}

function table(): string {
  const lines = allShippingLines().toSorted((a, b) => (a.scac < b.scac ? -1 : 1))
  const rows: string[] = []
  const unknown: string[] = []
  for (const { scac, shortName } of lines) {
    const known = lineProfiles.find(({ profile }) => profile.scac === scac)
    if (known === undefined) unknown.push(`${shortName} (\`${scac}\`)`)
    else rows.push(`| \`${scac}\` | ${cell(shortName)} | ${access(known)} |`)
  }
  return [
    '',
    '| Line | | `secrets` | Goes into | `profile` must also have | To know |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'Of the other lines no interface is known to us. Who has access to one writes its `profile`, with a `base` and an',
    `\`auth\` that names its secrets: ${unknown.join(', ')}.`,
    '',
  ].join('\n')
}

function access({ profile, operatorSets, remarks }: LineProfile): string {
  const { keyHeaders, oauth } = profile.auth
  const ways = [
    ...Object.entries(keyHeaders).map(([header, secret]) => `\`${secret}\`: header \`${header}\``),
    ...(oauth === null ? [] : [`token: ${clients[oauth.client]}`]),
  ]
  const known = `${profile.isBilled ? 'Every call costs. ' : ''}${remarks}`
  return [
    code(secretNames(profile)) || 'none',
    ways.join('<br>') || '–',
    code(operatorSets) || '–',
    cell(known) || '–',
  ].join(' | ')
}

const clients = {
  form: '`clientId` and `clientSecret` in the form',
  basic: '`clientId` and `clientSecret` as Basic',
  certificate: '`clientId`, signed with `privateKey` of `certificate` (both PEM)',
} as const

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
