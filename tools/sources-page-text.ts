// Writes the generated parts of docs/sources.md: the facilities that are shipped, and what is read from lines' answers.

import { findBuiltInDescription, mergeOverrides, shippedNames } from '../src/connectors/terminal-api/description.ts'
import { parseFacilityPollProfile, secretNames } from '../src/connectors/terminal-api/poll-profile.ts'
import { writeAnswers } from './sources-page-answers.ts'

const written = 'written by `node tools/run.mjs tools/sources-page.ts`'
const parts = [
  { name: 'facilities', from: 'src/connectors/terminal-api/profiles', write: facilities },
  { name: 'answers', from: 'test/connectors/dcsa/fixtures', write: writeAnswers },
] as const

/** The page with these parts replaced by the present content of the profiles and the fixtures. */
export function writeSourcesPage(page: string): string {
  return parts.reduce((text, { name, from, write }) => {
    const [begin, end] = [`<!-- ${name}: ${written} from ${from}; change them there -->`, `<!-- /${name} -->`]
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)]
    if (start < 0 || stop < start) throw new Error(`docs/sources.md lacks the marks of its ${name}`)
    return `${text.slice(0, start + begin.length)}\n${write()}\n${text.slice(stop)}`
  }, page)
}

function facilities(): string {
  const rows = shippedNames.map((name) => {
    const {
      name: of = name,
      speaker = '',
      evidence = '',
      remarks = '',
      operatorSets = [],
      asking = {},
    } = findBuiltInDescription(name) ?? { answer: {} }
    const secrets = facilitySecrets(asking)
    return `| \`${name}\` | ${cell(of)} | \`${speaker}\` | ${code(secrets)} | ${code(operatorSets) || '–'} | ${cell(evidence)} ${cell(remarks)} |`
  })
  return [
    '',
    '| `--profile` | | Speaks as | `secrets` | To put in first | What is known |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/**
 * The names of the secrets, also for an incomplete profile: the missing parts have no influence on them, so
 * placeholders are used.
 */
function facilitySecrets(asking: Readonly<Record<string, unknown>>): readonly string[] {
  const given = {
    base: 'https://given.invalid',
    auth: { oauth: { tokenUrl: 'https://given.invalid/token' } },
  }
  const { auth, queue } = asking as { readonly auth?: { readonly oauth?: object }; readonly queue?: object }
  const whole = mergeOverrides(
    {
      ...(auth?.oauth === undefined ? { base: given.base } : given),
      ...(queue !== undefined && { queue: { path: '/given' } }),
    },
    asking,
  )
  const body = whole['method'] === 'POST' ? { body: ['{number}'] } : {}
  const parsed = parseFacilityPollProfile({ ...body, ...whole })
  if (!parsed.ok) throw new Error(parsed.reason)
  return secretNames(parsed.value)
}

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
