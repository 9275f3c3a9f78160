/** `get_vessel`: where a ship was last seen, and where it will be on its way to a port. */

import { refusedAt } from '../../modules/errors.ts'
import { journeyNow } from '../../modules/service.ts'
import { getVessel as getShip } from '../../modules/vessels/get-vessel.ts'
import { listFuturePositions } from '../../modules/vessels/list-future-positions.ts'
import { Type } from '../../platform/json-schema.ts'
import type { Place } from '../../reference/places.ts'
import { readPlaces } from '../lists/filter-values.ts'
import { readVessel } from '../lists/own-names.ts'
import { markForeignText, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, numberOrNull, object, optional, orNull, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const future = object({ at: text, latitude: number, longitude: number })
const hourMinutes = 60

export const getVessel = defineTool({
  name: 'get_vessel',
  title: 'Find a ship',
  about: 'Last position of a ship; with `from` and `to`, where it will be, hour by hour.',
  effect: 'read',
  input: Type.Object(
    {
      vessel: Type.String({ minLength: 1, description: 'Name or IMO number' }),
      from: Type.Optional(Type.String({ description: 'Port that it left, by name or code' })),
      to: Type.Optional(Type.String({ description: 'Next port of your containers on it' })),
      hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 168, description: 'How far ahead; 24 by default' })),
    },
    closed,
  ),
  output: object({
    name: text,
    imo: text,
    mmsi: textOrNull,
    position: orNull(
      object({
        latitude: number,
        longitude: number,
        speed_knots: numberOrNull,
        course_degrees: numberOrNull,
        at: text,
        said_by: text,
      }),
    ),
    future: optional(list(future)),
    hours_to_arrival: optional(numberOrNull),
    _response_contract: responseContract,
  }),
  run: async (toolContext, { vessel, from, to, hours = 24 }) => {
    const { service, context } = toolContext
    const idOrImo = await readVessel(toolContext, vessel)
    const { name, imo, mmsi, last } = await getShip(service, context, { idOrImo, window: null })
    if ((from === undefined) !== (to === undefined))
      throw refusedAt(from === undefined ? '/from' : '/to', '`from` and `to` belong together: the ports of the voyage.')
    const ahead =
      from === undefined || to === undefined
        ? null
        : await listFuturePositions(service, context, {
            imo,
            previousPortId: readPort('from', from).id,
            portId: readPort('to', to).id,
            point: null,
          })
    return makeResult(
      {
        name: markForeignText(name),
        imo,
        mmsi,
        position: last && {
          latitude: last.latitude,
          longitude: last.longitude,
          speed_knots: last.speedKnots,
          course_degrees: last.courseDegrees,
          at: writeInstant(last.heardAt, null),
          said_by: markUnlessCode(last.source),
        },
        ...(ahead && {
          future: ahead.positions
            .filter((_, minute) => minute % hourMinutes === 0)
            .slice(0, hours)
            .map(({ timestamp, latitude, longitude }) => ({ at: writeInstant(timestamp, null), latitude, longitude })),
          hours_to_arrival: ahead.total === 0 ? null : Math.round(ahead.total / hourMinutes),
        }),
        _response_contract: writeContract({ now: writeInstant(journeyNow(service, context.account.isSandbox), null) }),
      },
      {
        presentation:
          'Say when the position was received and by whom: it is not where the ship is now. `future` is calculated by Landfall. A position of null: no radio was received.',
        tools: ['list_shipments', 'get_container_route'],
      },
    )
  },
})

function readPort(name: string, given: string): Place {
  const [first, ...others] = readPlaces(name, given)
  if (first !== undefined && others.length === 0) return first
  const codes = [first, ...others].flatMap((each) => each?.unlocode ?? [])
  throw refusedAt(`/${name}`, `\`${name}\` may be ${codes.slice(0, 6).join(', ')}: say which.`)
}
