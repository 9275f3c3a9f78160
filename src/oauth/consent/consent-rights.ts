/** What an app could do if it is allowed, in sentences; and in which of a person's accounts it could do any of that. */

import { grantOf } from '../../modules/access/roles.ts'
import { grantableScopes } from '../../modules/oauth-apps/connect-app.ts'
import { tokenScopes } from '../../modules/oauth-apps/token-scopes.ts'
import type { Membership, Visitor } from '../../modules/sessions/find-session.ts'
import type { ConsentRequest } from './consent-request.ts'

/** The accounts in which the person's role includes at least one of the requested scopes. */
export function usableAccounts(
  { memberships }: Pick<Visitor, 'memberships'>,
  { scopes }: Pick<ConsentRequest, 'scopes'>,
): readonly Membership[] {
  return memberships.filter(({ role }) => grantableScopes(grantOf(role), scopes).length > 0)
}

export interface ConsentSummary {
  readonly may: readonly string[]
  readonly mayNot: readonly string[]
}

/** Of the requested scopes, those that the person can give in at least one of `usable`. */
export function summarizeConsent(
  { scopes, resources }: Pick<ConsentRequest, 'scopes' | 'resources'>,
  usable: readonly Membership[],
): ConsentSummary {
  const given = (scopeName: string): boolean =>
    usable.some(({ role }) => grantableScopes(grantOf(role), scopes).includes(scopeName))
  const usesApi = resources.some(({ resource }) => resource === 'api')
  const changes = given(tokenScopes.write)
  const managesWebhooks = usesApi && usable.some(({ role }) => grantOf(role).permissions.includes('webhooks'))
  return {
    may: [
      ...(given(tokenScopes.read)
        ? [
            'See your shipments, containers and tracking requests, and everything that was ever stated about them.',
            'See your reference numbers, tags, customers and custom fields.',
            usesApi ? 'See your webhooks and what was sent to them.' : 'See which of your webhooks fail.',
          ]
        : []),
      ...(changes
        ? [
            'Track new numbers, and stop and resume tracking.',
            usesApi
              ? 'Change reference numbers, tags, customers and custom fields.'
              : 'Change reference numbers, tags and other fields of shipments.',
            ...(managesWebhooks ? ['Make, change and delete webhooks, and see their secrets.'] : []),
          ]
        : []),
    ],
    mayNot: [
      ...(changes ? [] : ['Change anything.']),
      'See or make API keys, invite people, or change roles.',
      'See or change your password, or sign in as you.',
    ],
  }
}
