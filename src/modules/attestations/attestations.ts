/** Attestations: those that come with the program, in `attestations/`, and those that the operator imported. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { addDays } from '../../domain/values/time.ts'
import { programFolder } from '../../platform/program-folders.ts'
import { once } from '../../reference/data-files.ts'
import { realNow, type Service } from '../service.ts'
import { type Attestation, checkAttestation } from './attestation.ts'
import { insertAttestation, listImportedAttestations } from './attestations-sql.ts'
import { groupByName } from './attested-shape.ts'

/** By how many installations a line was seen, and when last. */
export interface AttestedLine {
  readonly scac: string
  readonly installations: number
  /** A day, UTC. */
  readonly lastOn: string
}

export interface AttestationSummary extends AttestedLine {
  readonly isSimulated: boolean
  /** As `dcsa 5`. */
  readonly readers: readonly string[]
  /** Of the events in the newest report of each installation; null where they had none. */
  readonly readShare: number | null
  /** Number of codes that the reader does not know, the most of any installation, by member; and those that are shown. */
  readonly unknownCodes: Readonly<Record<string, number>>
  readonly shownCodes: Readonly<Record<string, readonly string[]>>
}

/** Those in the folder of the program. A test refuses others than valid ones there, and simulated ones. */
export const listShippedAttestations = once((): readonly Attestation[] => {
  const folder = join(programFolder, 'attestations')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return files.flatMap((name) => {
    const checked = checkAttestation(readFileSync(join(folder, name), 'utf8'))
    return checked.ok ? [checked.value] : []
  })
})

/** Stores it, or says why not. `isNew` is false when it is there already. */
export async function importAttestation(
  service: Service,
  { text, takesSimulated }: { readonly text: string; readonly takesSimulated: boolean },
): Promise<Result<{ readonly attestation: Attestation; readonly isNew: boolean }, string>> {
  const checked = checkAttestation(text)
  if (!checked.ok) return checked
  const attestation = checked.value
  if (attestation.simulated && !takesSimulated)
    return err('it is of a simulated line, and says nothing about the real one: --simulated imports it for a trial')
  if (attestation.day > addDays(realNow(service), 1).slice(0, 10)) return err(`its day, ${attestation.day}, is to come`)
  return ok({ attestation, isNew: await insertAttestation(service.pool, attestation) })
}

/** Of the lines that a real installation attested. */
export async function listAttestedLines(service: Pick<Service, 'pool'>): Promise<readonly AttestedLine[]> {
  return countInstallations(await listRealAttestations(service))
}

/** Without those of simulated lines. */
export async function listRealAttestations(service: Pick<Service, 'pool'>): Promise<readonly Attestation[]> {
  return (await listAll(service)).filter(({ simulated }) => !simulated)
}

export function countInstallations(attestations: readonly Attestation[]): readonly AttestedLine[] {
  return groupByLine(attestations).map(({ scac, of }) => ({
    scac,
    installations: new Set(of.map(({ key }) => key)).size,
    lastOn: lastDay(of),
  }))
}

/** By line; simulated ones apart, after the real ones. */
export async function summarizeAttestations(service: Service): Promise<readonly AttestationSummary[]> {
  const all = await listAll(service)
  return [false, true].flatMap((isSimulated) =>
    groupByLine(all.filter(({ simulated }) => simulated === isSimulated)).map(({ scac, of }) => {
      const newest = newestOfEach(of)
      const read = newest.reduce((sum, { events }) => sum + events.read, 0)
      const events = newest.reduce((sum, { events: { partly, lost } }) => sum + partly + lost, read)
      const unknown = newest.flatMap(({ codes }) => Object.entries(codes.unknown)).toSorted(([, a], [, b]) => a - b)
      return {
        scac,
        installations: newest.length,
        lastOn: lastDay(of),
        isSimulated,
        readers: [...new Set(newest.map(({ reader }) => `${reader.name} ${reader.version}`))].toSorted(),
        readShare: events === 0 ? null : Math.round((read / events) * 1_000) / 1_000,
        // The largest count of a member comes last, and stays.
        unknownCodes: Object.fromEntries([...new Map(unknown)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        shownCodes: groupByName(
          newest.flatMap(({ codes: { shown } }) =>
            Object.entries(shown).flatMap(([name, codes]) => codes.map((code) => ({ name, code }))),
          ),
        ),
      }
    }),
  )
}

async function listAll({ pool }: Pick<Service, 'pool'>): Promise<readonly Attestation[]> {
  const imported = (await listImportedAttestations(pool)) as readonly Attestation[] // safe: checked when it was stored
  const all = [...listShippedAttestations(), ...imported]
  return [...new Map(all.map((each) => [each.signature, each])).values()]
}

function groupByLine(
  attestations: readonly Attestation[],
): readonly { readonly scac: string; readonly of: readonly Attestation[] }[] {
  const byLine = Object.groupBy(attestations, ({ line }) => line)
  return Object.entries(byLine)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([scac, of = []]) => ({ scac, of }))
}

function newestOfEach(attestations: readonly Attestation[]): readonly Attestation[] {
  const byDay = attestations.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  return [...new Map(byDay.map((each) => [each.key, each])).values()]
}

function lastDay(attestations: readonly Attestation[]): string {
  return (
    attestations
      .map(({ day }) => day)
      .toSorted()
      .at(-1) ?? ''
  )
}
