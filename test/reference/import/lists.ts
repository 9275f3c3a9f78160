/** Rows of published lists in the publishers' own formats, invented: no list is copied here. */

export const smdgHeader =
  'UNLOCODE,Alternative UNLOCODE,Terminal Code,Terminal Facility Name,Terminal Company Name,Latitude (DMS),' +
  'Longitude (DMS),Latitude,Longitude,Last change,Valid from,Valid to,Terminal Website,Terminal Address,Remarks'

export function smdgRow(unlocode: string, code: string, name: string, latitude: number, longitude: number): string {
  return `${unlocode},,${code},${name},INVENTED TERMINALS,,,${latitude},${longitude},,2020-01-01,,,"1 Quay St, Town",`
}

export const firmsHeader =
  'firms_code,name,status,facility_type_code,facility_type,description,street,city,state,zip,country,district_port'

export function unlocodeRow(row: {
  readonly change?: string
  readonly country: string
  readonly location: string
  readonly name: string
  readonly subdivision?: string
  readonly function?: string
  readonly at?: string
}): string {
  const { change = '', country, location, name, subdivision = '', at = '' } = row
  const cells = [
    change,
    country,
    location,
    name,
    name,
    subdivision,
    row.function ?? '--3-----',
    'RL',
    '2401',
    '',
    at,
    '',
  ]
  return cells.map((cell) => (cell === '' ? '' : `"${cell}"`)).join(',')
}
