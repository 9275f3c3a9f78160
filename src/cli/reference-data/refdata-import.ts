/** `landfall refdata import <list> --from <file or url>`: shows what a published list would change; `--yes` does it. */

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { applyImport, type ListFile, previewImport } from '../../modules/reference-data/import-list.ts'
import type { Service } from '../../modules/service.ts'
import { ListFault, refreshableLists } from '../../reference/import/record.ts'
import { defineCommand, type ExitCode, type Shell, UsageError } from '../framework/command.ts'
import { formatImportDifference } from './refdata-difference.ts'

const list = {
  name: 'list',
  about: 'which published list',
  oneOf: refreshableLists,
} as const

export const refdataImport = defineCommand({
  about: `The file is validated (size, columns, keys, check digits, duplicates, zone in country, no port moved over 25 km)
and compared with what is there; the difference is printed, and nothing changes without --yes. Then all of it is done
in one transaction: rows are added, changed or retired, never deleted. A running server uses the new data within half a minute.
  smdg      SMDG terminal code list, the spreadsheet saved as CSV
  unlocode  UN/LOCODE release, its CSV parts joined; Landfall's time zones and corrected coordinates are kept
  firms     U.S. customs' facilities: firms_code,name,status,facility_type_code,street,city,state,zip,country
  vessels   ships: imo,name and, where known, former_names,mmsi; ships are never retired
Exits with 1 if the whole file is refused. Single rows that are refused are printed and skipped.`,
  operands: [list],
  options: {
    from: { type: 'string', value: '<file or url>', about: 'CSV, gzipped or not', isRequired: true },
    yes: { type: 'boolean', about: 'apply it' },
    extract: {
      type: 'boolean',
      about: 'the file is a part of the list: it may have any number of rows, and nothing is retired',
    },
    edition: {
      type: 'string',
      value: '<name>',
      about: 'name of the edition; if it is missing, the name of the file',
    },
    all: { type: 'boolean', about: 'print every difference, not only the first 20 of each kind' },
    json: { type: 'boolean', about: 'print JSON, with every difference' },
  },
  examples: [
    'refdata import smdg --from smdg-terminals.csv',
    'refdata import vessels --from https://example.com/fleet.csv --extract --yes',
  ],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    shell.progress(`Reading ${options.from} …`)
    const file: ListFile = {
      list: refreshableLists.find((each) => each === operands[0]) ?? refreshableLists[0],
      bytes: await readSource(service, options.from),
      from: options.from,
      edition: options.edition ?? (basename(options.from.replace(/[?#].*$/, '')) || options.from),
      isExtract: options.extract,
    }
    shell.progress('Comparing with the existing data …')
    return runImport(service, file, { ...options, shell })
  },
})

async function runImport(
  service: Service,
  file: ListFile,
  how: { readonly yes: boolean; readonly json: boolean; readonly all: boolean; readonly shell: Shell },
): Promise<ExitCode> {
  const { shell } = how
  try {
    const done = how.yes ? await applyImport(service, file) : await previewImport(service, file)
    if (how.json) shell.print(JSON.stringify(done, null, 2))
    else
      for (const line of formatImportDifference(done, {
        hasColours: shell.hasColours,
        linesMax: how.all ? Number.POSITIVE_INFINITY : 20,
      }))
        shell.print(line)
    if (how.yes) shell.log(done.isApplied ? 'Applied.' : 'Nothing to do: the data is already there.')
    else shell.log('Nothing was changed. --yes applies it.')
    return 0
  } catch (error) {
    if (!(error instanceof ListFault)) throw error
    if (how.json) shell.print(JSON.stringify({ list: file.list, refused: error.message }, null, 2))
    shell.log(`${file.from} is refused. ${error.message}`)
    return 1
  }
}

const downloadMaxBytes = 64 * 2 ** 20

/** Reads a file of this machine, or a URL through the guarded egress, which follows no redirects. */
export async function readSource(service: Service | null, from: string): Promise<Uint8Array> {
  if (!/^https?:/i.test(from)) {
    return readFile(from).catch((error: unknown) => {
      throw new Error(`${from} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  if (service === null) throw new UsageError('Give a file, not a URL.')
  const answer = await service.egress.request({ url: from, timeoutMs: 120_000, maxBytes: downloadMaxBytes })
  if (answer.kind === 'refused') throw new Error(`${from} may not be fetched. ${answer.reason}`)
  if (answer.kind === 'failed') throw new Error(`${from} cannot be fetched: ${answer.message}.`)
  const { location } = answer.headers
  if (answer.status !== 200)
    throw new Error(
      `${from} answers ${answer.status}${location === undefined ? '' : ` and points to ${location}: give that address`}.`,
    )
  if (answer.truncated) throw new Error(`${from} is larger than ${downloadMaxBytes / 2 ** 20} MB.`)
  return answer.body
}
