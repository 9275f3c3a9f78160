/**
 * Which names of members may be shown to others. Some lines put numbers or names of companies where names of members
 * should be, and letters alone do not tell `remarks` from a company. So a plain name is made only of the words of a
 * closed list: those of the names that readers know, and those below.
 */

import { allNames } from './names.ts'

const otherWords = `
  about action active actual additional address all amount and announced any area at ata atd attribute authority available
  barge base berth bic body booked booking by calculated call cancelled carriage change channel city closing collect
  comment commodity company confirmed confirmation contact count coordinate correction course created currency current
  customer cut cutoff data day deadline delay delivered delivery demurrage depot description destination detail detention
  direction discharged distance document draft draught duration email empty end error est estimated eta etd exception
  expected expiry export extra facility fax feeder final first flag for freight from full gate general geo goods
  gross group hazardous heading height history hold hour href hs humidity id idle import in indicator info information
  inland internal invoice is item last latest latitude length level line link list local lock longitude main manifest
  mark mass master maximum message meta method metric milestone minimum minute mmsi mode modified month name net new next
  note notify object of off offset on operation operator option order original other out owner package page parent
  part partner party passed payload payment period phone pickup piece place planned point position post postal
  prefix prepaid previous price priority process product profile progress provider published purpose quality quantity rail
  ramp rate rating reason received receiver record reefer ref region related release remark report request
  requested required response result return revised revision role rotation route schedule scheduled score scac second
  section self sender sensor sequence service set setpoint ship shipped shipper signal size smdg sort speed stage standard
  start started state stop storage street sub subdivision subtype suffix summary tag tare tax tel temperature terminal
  text time timestamp title to total track tracking transfer transit transshipment transhipment truck un unit unknown
  update updated upload uri url user utc validity value verified version via volume waste warning way waypoint week weight
  width with yard year zip zone`

const spelled = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const wordsOf = (name: string): readonly string[] => (name.match(spelled) ?? []).map((word) => word.toLowerCase())
const words: ReadonlySet<string> = new Set([...allNames.flatMap(wordsOf), ...otherWords.trim().split(/\s+/)])

/** For example `plannedBerthTime` or `planned_berth_time`, and not `MSKU` or `acmeLogistics`. */
export function isPlainName(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z_-]{0,60}$/.test(name)) return false
  return wordsOf(name).every((word) => words.has(word) || (word.endsWith('s') && words.has(word.slice(0, -1))))
}
