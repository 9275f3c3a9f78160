/** Where a signed-in person can go, in the order of the navigation, and which roles see each. */

import { grantOf, type Permission, type Role } from '../../modules/access/roles.ts'

export interface AccountPage {
  /** Of a page of the server, or of the app. */
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
  { path: '/administration/keys', label: 'API keys', isFor: whoMay('keys') },
  { path: '/developers/webhooks', label: 'Webhooks', isFor: (role) => role !== null },
  { path: '/administration/members', label: 'Members', isFor: (role) => role !== null },
  { path: '/account/apps', label: 'Connected apps', isFor: everybody },
  { path: '/administration/record', label: 'Record of changes', isFor: whoMay('members') },
]
