/**
 * Ships. Their identity comes from our list, from their own radio or from statements of lines to the account; their
 * positions come by radio.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { type Fix, type Radio, radiosOf } from '../../pipeline/positions/fixes-sql.ts'
import { findVesselById, findVesselByImo, vesselId } from '../../reference/vessels.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { requireReference } from '../reference-data/require-reference.ts'
import { findListedMmsi, searchVessels } from '../reference-data/search-reference-sql.ts'
import { journeyNow, type Service } from '../service.ts'
import { findStatedName, listStatedVessels } from './stated-vessels-sql.ts'
import { readLastPositions, readVesselPositions } from './vessel-positions-sql.ts'

export interface VesselDetails {
  readonly id: string
  readonly imo: string
  readonly name: string
  readonly mmsi: string | null
  /** Its last received position. */
  readonly last: Fix | null
  /** Oldest first; null when no positions were requested. */
  readonly track: readonly Fix[] | null
}

/** ISO instants; null is the default: seven days back, and now. */
export interface TrackWindow {
  readonly from: string | null
  readonly to: string | null
}

const daysBack = 7
/** Enough for a fix every ten minutes for ten weeks. */
const fixesMax = 10_000

/**
 * A ship that is in no list is found by its IMO number as soon as its radio, or a line in a message to this account,
 * has named it.
 */
export async function getVessel(
  service: Service,
  context: Context,
  input: { readonly idOrImo: string; readonly window: TrackWindow | null },
): Promise<VesselDetails> {
  requireScope(context, 'read')
  const { isSandbox } = context.account
  const listed = findVesselByImo(input.idOrImo) ?? findVesselById(input.idOrImo)
  const parsed = parseImoNumber(listed?.imo ?? input.idOrImo)
  if (!parsed.ok) throw notFound('vessel')
  const imo: string = parsed.value
  const [last = null] = await readLastPositions(service.pool, { isSandbox, imos: [imo] })
  const radio = pickNewestRadio(await radiosOf(service.pool, { isSandbox, imos: [imo] }))
  const name =
    listed?.name ?? radio?.name ?? (await findStatedName(service.pool, { accountId: context.account.id, imo }))
  const id = vesselId(imo)
  if (name === null || id === null) throw notFound('vessel')
  const mmsi = radio?.mmsi ?? (await findListedMmsi(service.pool, imo))
  const track = input.window === null ? null : await readTrack(service, context, { imo, ...input.window })
  return { id, imo, name, mmsi, last, track }
}

async function readTrack(
  service: Service,
  { account: { isSandbox } }: Context,
  query: TrackWindow & { readonly imo: string },
): Promise<readonly Fix[]> {
  const to = query.to ?? journeyNow(service, isSandbox)
  const from = query.from ?? new Date(Date.parse(to) - daysBack * 86_400_000).toISOString()
  return readVesselPositions(service.pool, { isSandbox, imo: query.imo, from, to, limit: fixesMax })
}

/**
 * Finds listed ships by IMO number, MMSI, or present or former name, and unlisted ones that lines named to this
 * account.
 */
export async function listVessels(
  service: Service,
  context: Context,
  input: { readonly q: string | null; readonly page: PageRequest },
): Promise<Page<VesselDetails>> {
  requireScope(context, 'read')
  await requireReference(service)
  const statedVessels = await listStatedVessels(service.pool, context.account.id)
  const unlisted = statedVessels.flatMap(({ imo, name }) => {
    const id = vesselId(imo)
    return id === null ? [] : [{ id, imo, name }]
  })
  const { rows, total } = await searchVessels(service.pool, { ...input, unlisted })
  const of = { isSandbox: context.account.isSandbox, imos: rows.map(({ imo }) => imo) }
  const lasts = new Map((await readLastPositions(service.pool, of)).map((fix) => [fix.imo, fix]))
  const radios = Map.groupBy(await radiosOf(service.pool, of), ({ imo }) => imo)
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      mmsi: pickNewestRadio(radios.get(row.imo) ?? [])?.mmsi ?? row.mmsi,
      last: lasts.get(row.imo) ?? null,
      track: null,
    })),
  }
}

function pickNewestRadio(radios: readonly Radio[]): Radio | undefined {
  return radios.toSorted((a, b) => (a.heardAt < b.heardAt ? 1 : -1))[0]
}
