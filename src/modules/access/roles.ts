/** What a person may do in an account, by their role in it. Every interface and verb uses this one table. */

/** From the role with the fewest rights to the one with the most. */
export const roles = ['read_only', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Beyond reading and tracking. `owners`: to appoint and dismiss admins and owners. */
export const permissions = ['webhooks', 'keys', 'members', 'connections', 'owners'] as const
export type Permission = (typeof permissions)[number]

export interface Grant {
  readonly scopes: readonly ('read' | 'write' | 'admin')[]
  readonly permissions: readonly Permission[]
}

const grants: Readonly<Record<Role, Grant>> = {
  read_only: { scopes: ['read'], permissions: [] },
  member: { scopes: ['read', 'write'], permissions: [] },
  admin: {
    scopes: ['read', 'write', 'admin'],
    permissions: ['webhooks', 'keys', 'members', 'connections'],
  },
  owner: {
    scopes: ['read', 'write', 'admin'],
    permissions: ['webhooks', 'keys', 'members', 'connections', 'owners'],
  },
}

export function grantOf(role: Role): Grant {
  return grants[role]
}

export function parseRole(text: string): Role | null {
  return roles.find((role) => role === text) ?? null
}

/**
 * A person may give or change only roles below their own. Owners are the exception: they may give and change every
 * role.
 */
export function mayAppoint(by: Role, role: Role): boolean {
  const { permissions: held } = grants[by]
  return held.includes('owners') || (held.includes('members') && roles.indexOf(role) < roles.indexOf(by))
}
