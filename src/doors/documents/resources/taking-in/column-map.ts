/** `column_map`: how the columns of an account's own tables are read. */

import { Type } from 'typebox'
import { requestTypes } from '../../../../core/requests/tracking-request-state.ts'
import { dayFormats, decimalMarks, weightUnits } from '../../../../sources/tables/column-map.ts'
import type { SavedMap } from '../../../../store/tracking/column-maps.ts'
import type { Identified, ResourceKind } from '../../shape/resource.ts'
import * as schema from '../../shape/schema.ts'
import { lastChangedBy } from '../parts/last-changed-by.ts'

export interface ColumnMapReading extends Identified {
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
      'Headings by field, in any case. Null: the field is not read, whatever a heading says. Fields that are not named go by their usual headings.',
  }),
  sheet: schema.textOrNull({
    maxLength: 100,
    description: 'Of a workbook; the first that is not hidden when left out.',
  }),
  day_format: schema.oneOfOrNull(dayFormats, {
    description:
      'How days with the month in digits are written. Without it only ISO 8601 and months in letters are read.',
  }),
  weight_unit: schema.oneOfOrNull(weightUnits, { description: 'Of weights that do not say.' }),
  decimal_mark: schema.oneOfOrNull(decimalMarks, {
    description:
      'What stands before the fraction of a number; without it `1,200` is refused, for it may be either.',
  }),
  currency: schema.textOrNull({ maxLength: 3, description: 'ISO 4217, of amounts that do not say.' }),
  scac: schema.textOrNull({ maxLength: 40, description: 'Of rows that name no line.' }),
  auto_detect_vocc_scac: Type.Boolean({
    description: 'Rows without a line are tracked all the same: the line is found.',
  }),
  track_by: Type.Unsafe({
    type: ['array', 'null'],
    items: { type: 'string', enum: requestTypes },
    maxItems: 3,
    description:
      'Of several numbers in a row, the first kind in this order by which the line can be tracked.',
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
