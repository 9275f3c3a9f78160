/**
 * Reads a list of ships with the columns `imo` and `name`, and with `former_names` (separated by `|` or `;`) and `mmsi`
 * if present. The headings may be those that lists of ships usually have. Other columns, such as the year of build, are
 * ignored.
 */

import { isImoNumber } from '../../domain/values/identifiers.ts'
import { withoutRegisterNumber } from '../vessels.ts'
import { ListReader } from './list-reader.ts'
import type { ReadList } from './record.ts'
import { readRows } from './rows.ts'

export function readVessels(bytes: Uint8Array): ReadList {
  const reader = new ListReader()
  for (const row of readRows(bytes, { columns: ['imo', 'name'], alsoCalled })) {
    const imo = row.cell('imo').replace(/^IMO ?/i, '')
    const at = reader.row(row.line, imo)
    if (!/^[1-9]\d{6}$/.test(imo)) at.refuseRow('imo', imo, 'an IMO number has seven digits')
    else if (!isImoNumber(imo)) at.refuseRow('imo', imo, 'the check digit is wrong')
    else if (row.cell('name') === '') at.refuseRow('name', '', 'it is empty')
    else {
      const name = withoutRegisterNumber(row.cell('name'))
      if (name === null) {
        at.refuseRow('name', row.cell('name'), 'it is a register number and no name')
        continue
      }
      const mmsi = row.cell('mmsi')
      const isMmsi = /^[2-7]\d{8}$/.test(mmsi)
      if (mmsi !== '' && !isMmsi) at.refuseValue('mmsi', mmsi, 'a ship’s MMSI has nine digits and begins with 2 to 7')
      at.take({
        name,
        formerNames: readFormerNames(row.cell('former_names')),
        mmsi: isMmsi ? mmsi : null,
      })
    }
  }
  return reader.result()
}

const alsoCalled = {
  imo: ['imo number', 'imo no', 'imo no.', 'imonumber', 'imo nr', 'vessel imo', 'ship imo'],
  name: ['vessel name', 'ship name', 'vessel', 'ship', 'name of ship', 'current name'],
  former_names: ['former name', 'ex names', 'ex name', 'ex', 'previous names', 'previous name', 'formerly'],
  mmsi: ['mmsi number', 'mmsi no'],
} as const

function readFormerNames(text: string): string | null {
  const names = text.split(/[|;]/).flatMap((name) => withoutRegisterNumber(name) ?? [])
  return [...new Set(names)].join('|') || null
}
