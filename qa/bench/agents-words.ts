/** How people write: numbers with blanks, names with mistakes or in their own language, days in several notations. */

import { getPlace } from '../../sandbox/places.ts'
import { seededChance } from './measure.ts'

/** Names of ports in other languages, and those that people use. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  BEANR: ['Anvers', 'Antwerp', 'Amberes'],
  CNSHG: ['上海', 'Schanghai'],
  DEHAM: ['Hamburgo', 'Hambourg', '汉堡'],
  ESALG: ['Algésiras'],
  GRPIR: ['Le Pirée', 'Pireo', 'Piräus'],
  HKHKG: ['香港'],
  ITGOA: ['Genoa', 'Gênes', 'Genua'],
  KRPUS: ['Pusan', '釜山'],
  MACAS: ['Casablanca'],
  NLRTM: ['Róterdam', '鹿特丹'],
  SGSIN: ['Singapur', 'Singapour', '新加坡'],
  TRIST: ['Estambul', 'İstanbul'],
  USCHI: ['Chicago, IL', 'Chicago', '芝加哥'],
  USHOU: ['Houston, TX'],
  USLAX: ['Los Ángeles', 'LA, port of Los Angeles', '洛杉矶'],
  USLGB: ['Long Beach, CA', '长滩'],
  USNYC: ['Nueva York', 'New York', '纽约'],
  USSAV: ['Savannah, GA'],
}
const lineNames: Readonly<Record<string, readonly string[]>> = {
  CMDU: ['CMA CGM', 'cma-cgm'],
  COSU: ['Cosco', 'COSCO Shipping'],
  EGLV: ['Evergreen', 'evergreen line'],
  HDMU: ['HMM', 'Hyundai'],
  HLCU: ['Hapag-Lloyd', 'hapag lloyd'],
  MAEU: ['Maersk', 'maersk line'],
  MSCU: ['MSC'],
  ONEY: ['ONE', 'Ocean Network Express'],
  OOLU: ['OOCL'],
  YMLU: ['Yang Ming'],
  ZIMU: ['ZIM'],
}

export class Words {
  readonly #chance: () => number

  constructor(seed: number) {
    this.#chance = seededChance(seed)
  }

  pick<T>(among: readonly T[]): T {
    return among[Math.floor(this.#chance() * among.length)] as T
  }

  /** The wording with what is said in its slots. */
  fill(asks: readonly string[], said: Readonly<Record<string, string>>): string {
    return this.pick(asks).replace(/\{(\w+)\}/g, (_, slot: string) => said[slot] ?? slot)
  }

  box(number: string): string {
    const [owner, serial, check] = [number.slice(0, 4), number.slice(4, 10), number.slice(10)]
    return this.pick([
      number,
      number,
      number.toLowerCase(),
      `${owner} ${serial} ${check}`,
      `${owner}${serial}-${check}`,
      ` ${number} `,
    ])
  }

  bill(number: string): string {
    const half = Math.ceil(number.length / 2)
    return this.pick([
      number,
      number,
      number.toLowerCase(),
      `${number} `,
      `${number.slice(0, half)} ${number.slice(half)}`,
    ])
  }

  port(place: string): string {
    const { name } = getPlace(place)
    return this.pick([name, name.toLowerCase(), `Port of ${name}`, place, ...(otherNames[place] ?? [])])
  }

  /** With a mistake of one letter. */
  misspelt(name: string): string {
    const at = 1 + Math.floor(this.#chance() * Math.max(1, name.length - 3))
    const [a = '', b = ''] = [name.charAt(at), name.charAt(at + 1)]
    const isExchanged = this.#chance() < 0.5 && a !== b
    return `${name.slice(0, at)}${isExchanged ? b + a : b}${name.slice(at + 2)}`
  }

  ship(name: string): string {
    return this.pick([name, name.toLowerCase(), `MV ${name}`, `${name.charAt(0)}${name.slice(1).toLowerCase()}`])
  }

  line(scac: string): string {
    return this.pick([scac, scac.toLowerCase(), ...(lineNames[scac] ?? [])])
  }

  /** Of a day as `2026-02-10`. */
  day(iso: string): string {
    const [year = '', month = '', day = ''] = iso.split('-')
    const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(Date.parse(iso))
    return this.pick([
      iso,
      iso,
      iso,
      `${year}/${month}/${day}`,
      `${Number(day)} ${name} ${year}`,
      `${day}.${month}.${year}`,
    ])
  }

  /** A moment in another time zone than UTC. */
  instant(at: number): string {
    const hours = this.pick([-8, -5, 0, 1, 8, 9])
    const local = new Date(at + hours * 3_600_000).toISOString().slice(0, 19)
    const sign = hours < 0 ? '-' : '+'
    return hours === 0 ? `${local}Z` : `${local}${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`
  }
}
