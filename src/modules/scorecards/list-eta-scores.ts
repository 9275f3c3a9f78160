/**
 * How good the estimates of arrival were: figures of the account, or of all accounts of the installation that agreed to
 * it; and the outcomes of which the figures of the account are made.
 */

import type { Page, PageRequest } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  type EtaScore,
  type EtaScoreFilter,
  type EtaScoreGroup,
  readEtaOutcomes,
  readEtaScores,
  readSharingAccounts,
  type ShipmentOutcome,
  setScorecardSharing,
} from './eta-scores-sql.ts'

export const scorecardScopes = ['account', 'installation'] as const
export type ScorecardScope = (typeof scorecardScopes)[number]

/** Figures of fewer accounts would show what one of them has. */
const sharingAccountsMin = 5

export interface EtaScoresInput {
  readonly scope: ScorecardScope
  readonly groups: readonly EtaScoreGroup[]
  readonly filter: EtaScoreFilter
  readonly page: PageRequest
}

/** Throws (`invalid`) when fewer than five accounts share their figures with the installation. */
export async function listEtaScores(
  { pool }: Service,
  context: Context,
  { scope, ...input }: EtaScoresInput,
): Promise<Page<EtaScore>> {
  requireScope(context, 'read')
  const { id, isSandbox } = context.account
  if (scope === 'account') return readEtaScores(pool, { ...input, accounts: id, accountsMin: 1 })
  const accounts = await readSharingAccounts(pool, isSandbox)
  if (accounts.length < sharingAccountsMin)
    throw new ServiceError(
      'invalid',
      `The scorecard of the installation needs ${sharingAccountsMin} accounts that share their figures; ${accounts.length} do.`,
      { source: { parameter: 'scope' } },
    )
  return readEtaScores(pool, { ...input, accounts, accountsMin: sharingAccountsMin })
}

export async function listEtaOutcomes(
  service: Service,
  context: Context,
  input: { readonly filter: EtaScoreFilter; readonly page: PageRequest },
): Promise<Page<ShipmentOutcome>> {
  requireScope(context, 'read')
  return readEtaOutcomes(service.pool, { accountId: context.account.id, ...input })
}

/** Whether the account's figures count in the scorecard of the installation, earlier ones included. */
export async function shareScorecards(
  service: Service,
  context: Context,
  input: { readonly shares: boolean },
): Promise<void> {
  requireScope(context, 'write')
  await setScorecardSharing(service.pool, { accountId: context.account.id, ...input })
}
