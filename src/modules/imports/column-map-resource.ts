/** `column_map`: how the columns of an account's own tables are read. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { dayFormats, decimalMarks, weightUnits } from '../../connectors/spreadsheets/column-map.ts'
import { requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { Type } from '../../platform/json-schema.ts'
import { lastChangedBy } from '../audit/last-changed-by-resource.ts'
import type { SavedMap } from './column-maps-sql.ts'

export interface ColumnMapReading extends IdentifiedReading {
  readonly type: 'column_map'
  readonly saved: SavedMap
}

export function readMap(saved: SavedMap): ColumnMapReading {
  return { type: 'column_map', id: saved.id, saved }
}

const heading = schema.text({ minLength: 1, maxLength: 200 })

/** Attributes that are both sent and shown. Fields and their values are checked where the map is read. */
export const mapAttributes = {
  columns: Type.Unsafe({
    type: 'object',
    additionalProperties: schema.anyOf([
      heading,
      schema.list(heading, { minItems: 1, maxItems: 20 }),
      schema.nothing(),
    ]),
    description:
      'The heading for each field; upper and lower case are the same. Null: the field is not read. A field that is not named is found by its usual headings.',
  }),
  sheet: schema.textOrNull({
    maxLength: 100,
    description: 'Sheet of a workbook. If it is missing: the first sheet that is not hidden.',
  }),
  day_format: schema.oneOfOrNull(dayFormats, {
    description:
      'The order of day, month and year when the month is in digits. Without it only ISO 8601 and months in letters are read.',
  }),
  weight_unit: schema.oneOfOrNull(weightUnits, {
    description: 'Unit of weights that are written without a unit.',
  }),
  decimal_mark: schema.oneOfOrNull(decimalMarks, {
    description:
      'The mark before the decimals of a number. Without it `1,200` is refused, because it has two meanings.',
  }),
  currency: schema.textOrNull({
    maxLength: 3,
    description: 'Currency (ISO 4217) of amounts that are written without a currency.',
  }),
  scac: schema.textOrNull({
    maxLength: 40,
    description: 'SCAC of the carrier for rows that name no carrier.',
  }),
  auto_detect_vocc_scac: Type.Boolean({
    description: 'True: rows without a carrier are tracked too; Landfall finds the carrier.',
  }),
  track_by: Type.Unsafe({
    type: ['array', 'null'],
    items: { type: 'string', enum: requestTypes },
    maxItems: 3,
    description: 'If a row has several numbers, the first kind in this order is used that the carrier supports.',
  }),
}

export const columnMap: ResourceKind<ColumnMapReading> = {
  type: 'column_map',
  attributes: {
    name: schema.text(),
    ...mapAttributes,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: {},
  write: ({ saved: { name, map, createdAt, updatedAt } }) => ({
    name,
    columns: {},
    sheet: null,
    day_format: null,
    weight_unit: null,
    decimal_mark: null,
    currency: null,
    scac: null,
    auto_detect_vocc_scac: false,
    track_by: null,
    ...map,
    created_at: createdAt,
    updated_at: updatedAt,
  }),
  link: () => ({}),
  self: ({ saved }) => `/column_maps/${encodeURIComponent(saved.name)}`,
  meta: { properties: lastChangedBy.properties, write: ({ saved }) => lastChangedBy.write(saved) },
}
