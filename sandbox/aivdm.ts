/** The ships' reports as NMEA sentences (ITU-R M.1371 messages 1 and 5 in AIVDM), each with its time in a tag block. */
import type { Report } from './fleet.ts'

const PAYLOAD_MAX = 56
let group = 0

/** Lines with their line ends. */
export function writeSentences(report: Report): string {
  const position = writeLines(positionBits(report), report.at)
  return report.isIntroduced ? writeLines(itselfBits(report), report.at) + position : position
}

function positionBits(report: Report): string {
  return [
    bits(1, 6),
    bits(0, 2),
    bits(Number(report.mmsi), 30),
    bits(report.speedKnots === 0 ? 5 : 0, 4),
    bits(0, 8),
    bits(Math.round(report.speedKnots * 10), 10),
    bits(1, 1),
    bits(Math.round(report.longitude * 600_000), 28),
    bits(Math.round(report.latitude * 600_000), 27),
    bits(Math.round(report.courseDegrees * 10) % 3600, 12),
    bits(Math.round(report.courseDegrees) % 360, 9),
    bits(new Date(report.at).getUTCSeconds(), 6),
    bits(0, 25),
  ].join('')
}

function itselfBits(report: Report): string {
  return [
    bits(5, 6),
    bits(0, 2),
    bits(Number(report.mmsi), 30),
    bits(0, 2),
    bits(Number(report.vessel.imo), 30),
    text('SANDBOX', 7),
    text(report.vessel.name, 20),
    bits(71, 8),
    bits(200, 9),
    bits(100, 9),
    bits(20, 6),
    bits(20, 6),
    bits(1, 4),
    // Month, day, hour and minute of the ETA, with the values for "not available".
    bits(0, 9),
    bits(24, 5),
    bits(60, 6),
    bits(120, 8),
    text('', 20),
    bits(0, 2),
  ].join('')
}

/** A negative value is written in two's complement. */
function bits(value: number, length: number): string {
  const whole = BigInt.asUintN(length, BigInt(value))
  return whole.toString(2).padStart(length, '0')
}

/** Six bits for each character. The text is padded with `@`. */
function text(value: string, length: number): string {
  const characters = value.toUpperCase().padEnd(length, '@').slice(0, length)
  return [...characters]
    .map((character) => {
      const code = character.charCodeAt(0)
      return bits(code >= 64 && code < 96 ? code - 64 : code >= 32 && code < 64 ? code : 32, 6)
    })
    .join('')
}

function writeLines(message: string, at: number): string {
  const fill = (6 - (message.length % 6)) % 6
  const padded = message + '0'.repeat(fill)
  let payload = ''
  for (let n = 0; n < padded.length; n += 6) {
    const value = Number.parseInt(padded.slice(n, n + 6), 2)
    payload += String.fromCharCode(value + (value < 40 ? 48 : 56))
  }
  const parts = payload.match(new RegExp(`.{1,${PAYLOAD_MAX}}`, 'g')) ?? []
  group = parts.length > 1 ? (group + 1) % 10 : group
  const tag = withSum(`c:${Math.floor(at / 1_000)}`)
  return parts
    .map((part, n) => {
      const isLast = n === parts.length - 1
      const id = parts.length > 1 ? String(group) : ''
      return `\\${tag}\\!${withSum(`AIVDM,${parts.length},${n + 1},${id},A,${part},${isLast ? fill : 0}`)}\r\n`
    })
    .join('')
}

function withSum(body: string): string {
  let sum = 0
  for (const character of body) sum ^= character.charCodeAt(0)
  return `${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`
}
