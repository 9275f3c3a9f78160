// Writes the text of the page about settings: one table for each group of `src/platform/settings.ts`.

import { findLineAccess, standardAccess } from '../src/connectors/line-access.ts'
import { findSource } from '../src/connectors/source-registry.ts'
import { profileMembers } from '../src/modules/installation/read-carriers.ts'
import { settingNames } from '../src/platform/config.ts'
import type { Setting } from '../src/platform/setting.ts'
import { settings } from '../src/platform/settings.ts'
import { allShippingLines } from '../src/reference/shipping-lines.ts'

const titles: Readonly<Record<keyof typeof settings, string>> = {
  server: 'Servers and process',
  data: 'Data and database',
  sandbox: 'Sandbox',
  positions: 'Positions of ships',
  network: 'Requests to the outside',
  edge: 'Requests to the API',
  inbound: 'What others send',
  mailIn: 'E-mail with documents',
  documents: 'Documents and their files',
  evidence: 'Evidence',
  backup: 'Backups',
  log: 'Files of the log',
  model: 'Language model for documents',
  metrics: 'Counters for Prometheus',
  traces: 'Traces (OpenTelemetry)',
  limits: 'Limits',
  accounts: 'People and mail',
  mcp: 'MCP server',
  oauth: 'Apps and access tokens (OAuth)',
  signIn: 'Sign-in by another server (OpenID Connect)',
  tracking: 'Tracking',
  inference: 'Inference',
}

export function writeConfigPage(): string {
  const parts = Object.entries(settings).map(([group, members]) => {
    const rows = Object.values(members).map(writeRow)
    const title = titles[group as keyof typeof settings] // safe: these are the keys of that object
    return [
      `## ${title}`,
      '',
      '| Variable | Accepts | Default | What it is for |',
      '|---|---|---|---|',
      ...rows,
      '',
    ].join('\n')
  })
  return [
    '# Configuration',
    '',
    'For operators: every setting of an installation.',
    '',
    '```sh',
    'LANDFALL_PORT=8080 LANDFALL_HOST=0.0.0.0 LANDFALL_PUBLIC_URL=https://track.example.com npm start',
    '```',
    '',
    'Written by `node tools/run.mjs tools/config-page.ts` from `src/platform/settings.ts`; change it there.',
    '',
    'Settings are environment variables, read once at start. Each has a default that works on a laptop. If a variable has a',
    'wrong value, or a `LANDFALL_…` does not exist, the start ends with a sentence that names it.',
    'For tests, `LANDFALL_TEST_DATABASE_URL` names a PostgreSQL server on which they may make and drop databases.',
    '',
    ...parts,
  ].join('\n')
}

/** For tools/setting-names.mjs, which runs before anything reads TypeScript. */
export function writeSettingNames(): string {
  const accesses = [...allShippingLines().map(({ scac }) => findLineAccess(scac)), standardAccess('MAEU')]
  const shipped = accesses.flatMap((access) =>
    access === null ? [] : (findSource(access.source)?.secretNames(access.profile) ?? []),
  )
  const secrets = [...new Set([...shipped, 'clientId', 'clientSecret', 'certificate', 'privateKey'])].sort()
  const carriers = { profile: profileMembers, secrets }
  return `${JSON.stringify({ settings: settingNames, carriers }, null, 2)}\n`
}

function writeRow({ variable, accepts, fallback, otherwise, about }: Setting<unknown>): string {
  const preset = otherwise ?? `\`${String(fallback)}\``
  return `| \`${variable}\` | ${accepts.replaceAll('|', '\\|')} | ${preset} | ${about} |`
}
