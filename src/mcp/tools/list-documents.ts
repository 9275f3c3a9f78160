/** `list_documents`: papers of the account or of one shipment, and of each what was read from it. */

import { documentTypes, sureFrom } from '../../connectors/papers/document.ts'
import type { PageRequest } from '../../db/listing/page.ts'
import { getRepresentations, listDocuments as listRows } from '../../modules/documents/get-documents.ts'
import type { DocumentReading, RepresentationReading } from '../../modules/documents/list-documents-sql.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import { Type } from '../../platform/json-schema.ts'
import { fields, pickFields, readFields } from '../lists/columns.ts'
import { readValues } from '../lists/filter-values.ts'
import { readFittingPage } from '../lists/fit-rows.ts'
import { listSchema, writeFitting } from '../lists/lists.ts'
import { markForeignText, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { closed, id, paging } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { flag, list, number, object, orNull, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

interface Row extends DocumentReading {
  readonly bills: readonly string[]
  readonly read: RepresentationReading | undefined
}

const item: Members<Row> = {
  id: [text, (row) => row.id],
  fileName: [text, (row) => markUnlessCode(row.fileName)],
  kind: [text, (row) => row.documentTypeManual ?? row.documentType],
  state: [text, ({ state }) => state],
  failure: [textOrNull, ({ failureReason }) => failureReason],
  addedAt: [text, ({ createdAt }) => writeInstant(createdAt, null)],
  billsOfLading: [texts, ({ bills }) => bills.map((bill) => markUnlessCode(bill))],
  fields: [
    orNull(list(object({ name: text, value: text, words: text, page: number, is_sure: flag }))),
    ({ read }) =>
      read?.fields.map((each) => ({
        name: each.name,
        value: markUnlessCode(String(each.value)),
        words: markForeignText(each.text),
        page: each.page,
        is_sure: each.confidence >= sureFrom,
      })) ?? null,
  ],
}

export const listDocuments = defineTool({
  name: 'list_documents',
  title: 'List papers',
  about: 'Papers (bills, arrival notices, invoices), newest first; `fields: fields` for what was read from each.',
  effect: 'read',
  input: Type.Object(
    {
      shipment_id: Type.Optional(id),
      number: Type.Optional(Type.String({ description: 'A number that the paper names' })),
      kind: Type.Optional(Type.String({ description: documentTypes.join(', ') })),
      fields,
      ...paging,
    },
    closed,
  ),
  ids: { shipment_id: 'shipment' },
  output: listSchema(schemaOf(item)),
  run: async ({ service, context }, input) => {
    const names = readFields(input.fields, Object.keys(item))
    const filter = {
      fileName: null,
      reference: input.number ?? null,
      documentTypes: input.kind === undefined ? null : readValues('kind', input.kind, { values: documentTypes }),
      shipmentId: input.shipment_id ?? null,
    }
    const readRows = async (page: PageRequest) => {
      const found = await listRows(service, context, { filter, order: '-created_at', page })
      const [shipments, readings] = await Promise.all([
        getShipments(service, context, {
          ids: [...new Set(found.rows.flatMap(({ links }) => links.map(({ shipmentId }) => shipmentId)))],
        }),
        names?.includes('fields')
          ? getRepresentations(service, context, { ids: found.rows.flatMap((row) => row.representationId ?? []) })
          : [],
      ])
      const write = (row: DocumentReading) => {
        const isLinked = ({ id: shipmentId }: { readonly id: string }) =>
          row.links.some((link) => link.shipmentId === shipmentId)
        const bills = shipments.filter(isLinked).map(({ billOfLadingNumber }) => billOfLadingNumber)
        const read = readings.find(({ id: reading }) => reading === row.representationId)
        return pickFields(writeMembers(item, { ...row, bills, read }), { fields: names, rare: ['fields'] })
      }
      return { found, items: found.rows.map(write) }
    }
    const fitting = await readFittingPage(input, { isWhole: names !== null, read: readRows })
    const now = journeyNow(service, context.account.isSandbox)
    return makeResult(
      writeFitting(fitting, { now }),
      names === null
        ? {
            presentation: 'Name kind, file and shipment. `fields` that are not `is_sure` wait for a person: say so.',
            tools: ['get_shipment_details', 'list_invoice_audits'],
          }
        : null,
    )
  },
})
