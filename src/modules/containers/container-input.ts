/** Which attributes of a container a body may change. */

import { pointerFault } from '../../api/errors/problem.ts'
import { changesBodyOf } from '../../api/openapi/operation.ts'
import { closed, readOnlyOf, shortTexts } from '../../api/request-body/attributes.ts'
import { readAttributes } from '../../api/request-body/body.ts'
import { membersOf } from '../../domain/values/json-value.ts'
import { Type } from '../../platform/json-schema.ts'
import { container } from './container-resource.ts'

const changes = Type.Object(
  {
    ref_numbers: Type.Optional(shortTexts),
    delivered_at: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 40,
        description: 'ISO 8601. Sets the status `delivered`, which no source sets. Null takes it back.',
      }),
    ),
  },
  closed,
)
export const containerChangesBody = changesBodyOf('container', changes)
const readOnly = readOnlyOf(container, changes)

export interface ContainerChanges {
  readonly refNumbers?: readonly string[]
  readonly deliveredAt?: string | null
}

/** Attributes that the body does not name are not changed. Null when the body changes nothing. */
export function readContainerChanges(body: unknown, id: string): ContainerChanges | null {
  const given = readAttributes(body, {
    type: 'container',
    id,
    attributes: changes,
    readOnly,
  })
  if (given.ref_numbers === undefined && given.delivered_at === undefined) return null
  return {
    ...(given.ref_numbers === undefined ? {} : { refNumbers: given.ref_numbers ?? [] }),
    ...(given.delivered_at === undefined ? {} : { deliveredAt: given.delivered_at }),
  }
}

/** The id in the body, for the address that has none. */
export function readContainerId(body: unknown): unknown {
  const { id = null } = membersOf(membersOf(body)['data'])
  if (id === null)
    throw pointerFault('malformed', '/data/id', 'This address needs the id of the container in the body.')
  return id
}
