/** The pages of a signed-in person, in the order of the navigation, and which roles see each. */

import { grantOf, type Permission, type Role } from '../../../service/roles.ts'

export interface AccountPage {
  readonly path: string
  readonly label: string
  /** `role` is the role in the chosen account; null for a person who belongs to none. */
  readonly isFor: (role: Role | null) => boolean
}

const everybody = (): boolean => true
const whoMay =
  (permission: Permission) =>
  (role: Role | null): boolean =>
    role !== null && grantOf(role).permissions.includes(permission)

export const accountPages: readonly AccountPage[] = [
  { path: '/account', label: 'You', isFor: everybody },
  { path: '/account/keys', label: 'API keys', isFor: whoMay('keys') },
  { path: '/account/webhooks', label: 'Webhooks', isFor: (role) => role !== null },
  { path: '/account/members', label: 'Members', isFor: (role) => role !== null },
  { path: '/account/apps', label: 'Connected apps', isFor: everybody },
  { path: '/account/activity', label: 'Activity', isFor: whoMay('members') },
]
