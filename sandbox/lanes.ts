/**
 * The trade lanes of the simulated world: which ports, by which kind of leg, and which lines sail them.
 *
 * One lane per line of text: `service  route | lines`. In a route places and legs alternate. A leg is a letter and its
 * days: V mother vessel, F feeder ship, B barge, R rail. A place with `*` is called at without working the cargo
 * (the ship arrives and departs). A rail place between two R legs is an interchange.
 */
const LANES_TEXT = `
AA1   CNSHG V14 USLAX                                | APLU CMDU COSU OOLU EGLV ONEY YMLU HDMU WHLC
AA2   CNNGB V2 CNSHG* V14 USLGB                      | MSCU ZIMU TJFH CULU SMLM
AA3   CNYTN V3 TWKHH* V14 USLAX                      | EGLV YMLU ONEY WHLC TJFH
AA4   VNCMT V18 USLGB                                | CMDU ONEY MAEU HDMU APLU
AA5   KRPUS V11 USTIW                                | SMLM HDMU
AA6   CNYTN V14 USLGB                                | TJFH CULU ZIMU
PN1   JPTYO V10 USSEA                                | SSBF ONEY
PN2   KRPUS V2 JPYOK* V10 USTIW                      | SSBF
PN3   CNTAO V2 KRPUS* V12 CAVAN                      | COSU OOLU YMLU SSBF
PR1   CNNGB V13 CAPRR R7 USCHI                       | MAEU COSU CMDU
RA1   CNSHG V15 USLGB R6 USCHI                       | MSCU ONEY EGLV SMLM
RA2   CNYTN V15 USLAX R4 USMKC R2 USCHI              | MAEU CMDU OOLU HLCU
RA3   CNNGB V14 USLAX R5 USDAL                       | COSU APLU EGLV WHLC
RA4   CNXMN V16 USTIW R6 USCHI                       | EGLV YMLU HDMU
RA5   CNSHG V14 CAVAN R5 CATOR                       | HLCU ONEY CMDU
RA6   THLCH F4 SGSIN V22 USLGB R5 USMEM              | ONEY MSCU
TS1   IDJKT F2 SGSIN V21 USLAX                       | ONEY MAEU EGLV OOLU
TS2   PHMNL F4 TWKHH V15 USLGB                       | YMLU WHLC EGLV
TS3   CNTXG V2 KRPUS V2 CNSHG* V3 KRPUS* V11 USLGB   | HDMU SMLM MSCU CMDU
TS4   CNDLC F2 KRPUS V12 USOAK                       | HDMU SMLM COSU APLU
RB1   CNWUH B4 CNSHG V15 USLAX                       | COSU CMDU OOLU APLU
HI1   USLAX V5 USHNL                                 | MATS
GU1   USLGB V6 USHNL* V9 GUGUM                       | MATS
CLX   CNNGB V2 CNSHG* V11 USLGB                      | MATS
EC1   CNYTN V23 PABLB* V7 USSAV                      | COSU CMDU EGLV OOLU ONEY APLU
EC2   CNNGB V24 PAMIT V5 USHOU                       | MSCU HLCU ZIMU
EC3   VNCMT V6 SGSIN* V24 USNYC                      | MAEU CMDU HLCU ONEY YMLU SQQY
EC4   INMUN F3 LKCMB V24 USNYC                       | HLCU ONEY MSCU MAEU SQQY
EC5   KRPUS V24 USSAV                                | ZIMU HDMU
EC6   CNTAO V3 KRPUS* V26 USORF R3 USCMH             | ONEY HDMU YMLU
EC7   CNSHK V25 PABLB V4 USMIA                       | EGLV CMDU APLU
FE1   CNSHG V32 NLRTM                                | COSU OOLU CMDU EGLV
FE2   CNNGB V6 SGSIN* V25 DEHAM                      | HLCU ONEY YMLU HDMU MAEU
FE3   CNYTN V28 BEANR                                | MSCU
FE4   JPYOK V8 SGSIN V25 NLRTM F4 PLGDN              | ONEY MAEU
FE5   VNCMT V5 SGSIN V24 GBFXT                       | OOLU CMDU EGLV
FE6   CNTAO V38 DEBRV F3 SEGOT                       | MSCU MAEU
FE7   CNSHG V30 NLRTM B2 DEDUI                       | COSU CMDU HLCU
MD1   CNNGB V28 GRPIR F2 TRIST                       | COSU OOLU
MD2   CNYTN V26 ITGIT F3 ILHFA                       | MSCU GOSU
MD3   CNSHG V28 ESALG F3 MACAS                       | MAEU CMDU
MD4   MYPKG V20 ITGOA                                | CMDU HLCU EGLV
MD5   CNNSA V27 ILASH                                | ZIMU GOSU
MD6   CNTAO V29 TRIST                                | SQQY HDUJ
RS1   CNSHG V20 SAJED                                | HDUJ PCIU CULU
RS2   CNNGB V17 AEJEA                                | MSCU SQQY HDMU CULU
TA1   DEHAM V2 BEANR* V9 USNYC                       | ACLU HLCU
TA2   GBLIV V9 CAHAL                                 | ACLU
TA3   BEANR V11 USPHL                                | IILU
TA4   BEANR V12 USILM                                | IILU
TA5   NLRTM V13 USHOU                                | HLCU CMDU MSCU MAEU
TA6   ITGOA V16 USNYC                                | ZIMU MSCU CMDU
TA7   TRMER V3 TRIZM* V15 USNYC                      | TRKU
TA8   TRGEM V17 USSAV                                | TRKU
TA9   FRLEH V10 CAMTR                                | CMDU OOLU HLCU
TA10  USSAV V13 DEBRV                                | HLCU MAEU
TA11  USBAL V12 GBLIV                                | ACLU
TA12  GBFXT V9 TRIST                                 | TRKU
IA1   CNSHG V3 JPTYO                                 | HDUJ CULU
IA2   KRPUS V8 THLCH                                 | KMTU TXZJ SMLM
IA3   CNNGB V6 VNSGN                                 | WHLC TXZJ KMTU CULU
IA4   TWKEL V2 HKHKG* V4 PHMNL                       | WHLC YMLU TXZJ
IA5   HKHKG V8 IDJKT                                 | OOLU COSU PCIU GOSU
IA6   SGSIN V7 INMAA                                 | PCIU GOSU WHLC KMTU
IA7   CNSHK V4 VNHPH                                 | CULU EGLV SQQY
IA8   CNNGB V7 SGSIN F7 BDCGP                        | PCIU GOSU KMTU WHLC
IA9   JPUKB V3 CNTAO                                 | HDUJ
IA10  CNTAO V1 KRINC                                 | HDUJ KMTU
AF1   CNSHG V7 SGSIN V15 ZADUR                       | PCIU SAFM MAEU MSCU
AF2   CNNSA V32 NGAPP                                | PCIU SAFM MAEU CMDU
AF3   BEANR V15 GHTEM                                | SAFM
AF4   NLRTM V6 ESALG V9 SNDKR                        | SAFM MAEU
AF5   INMUN V13 TZDAR                                | SSPH PCIU
AF6   AEJEA V10 KEMBA                                | SSPH
AF7   INNSA V11 KEMBA V7 MUPLU                       | SSPH
SM1   CNSHG V35 BRSSZ                                | CMDU COSU MSCU ONEY HDMU PCIU
SM2   CNNGB V20 MXZLO F11 CLSAI                      | WHLC MAEU HLCU COSU
SM3   BRSSZ V18 USNYC                                | MSCU HLCU ZIMU MAEU
SM4   COCTG V5 USMIA                                 | SEAU
SM5   ECGYE V4 PABLB V5 USPEF                        | SEAU
SM6   CLSAI V11 PAMIT V5 USPEF                       | SEAU MSCU HLCU
SE1   NLRTM V4 FIHEL                                 | SEJJ
SE2   EGALY V7 ESALG V5 GBFXT                        | SEJJ
SE3   BEANR V5 PLGDY                                 | SEJJ
BS1   TRIZM V2 GRPIR* V4 ITGOA                       | ARKU
BS2   TRIST V3 ROCND                                 | ARKU
BS3   TRIZM V7 ESALG F2 MACAS                        | ARKU
OC1   CNSHG V16 AUSYD                                | ANNU CMDU COSU OOLU TXZJ GOSU
OC2   SGSIN V10 AUFRE* V6 AUMEL                      | ANNU MSCU ONEY
OC3   AUBNE V6 NZAKL                                 | ANNU
OC4   CNNGB V12 PGLAE                                | CHVW
OC5   NZAKL V4 FJSUV V4 WSAPW                        | CHVW
OC6   AUBNE V4 NCNOU* V4 FJLTK                       | CHVW
OC7   NZTRG V18 USLGB                                | ANNU MAEU
CB1   USJAX V3 PRSJU                                 | TRBR CLAM
CB2   USJAX V3 PRSJU V2 VISTT                        | TRBR CLAM
CB3   USJAX V5 DOHAI                                 | TRBR
CB4   USPEF V3 GTSTC                                 | CLAM
CB5   USMIA V3 HNPCR                                 | SMLU
CB6   USMIA V3 JMKIN V4 TTPOS                        | SMLU
CB7   USMIA V4 CRLIO                                 | SMLU
CB8   DOHAI V3 USMIA                                 | SMLU
GM1   USPME V3 MXTUX                                 | WDSB
GM2   MXCOA V4 USPME                                 | WDSB
`

export const LEG_MODES = ['V', 'F', 'B', 'R'] as const
export type LegMode = (typeof LEG_MODES)[number]

/** What one ship, barge or train does with the cargo: places in order, the first and the last worked. */
export interface Chain {
  readonly key: string
  readonly service: string
  readonly mode: LegMode
  readonly places: readonly string[]
  readonly days: readonly number[]
}

export interface Lane {
  readonly service: string
  readonly chains: readonly Chain[]
  readonly lines: readonly string[]
  readonly from: string
  readonly to: string
  readonly shape: LaneShape
}

export const LANE_SHAPES = [
  'direct',
  'transshipment',
  'feeder',
  'barge',
  'rail',
  'rail_interchange',
  'same_port_twice',
] as const
export type LaneShape = (typeof LANE_SHAPES)[number]

export const LANES: readonly Lane[] = LANES_TEXT.trim().split('\n').map(parseLane)

export function lanesOf(scac: string): readonly Lane[] {
  return LANES.filter((lane) => lane.lines.includes(scac))
}

export function parseLane(text: string): Lane {
  const [left = '', right = ''] = text.split('|')
  const [service = '', ...tokens] = left.trim().split(/\s+/)
  const chains: Chain[] = []
  let places = [bare(tokens[0])]
  let days: number[] = []
  for (let i = 1; i < tokens.length; i += 2) {
    const mode = (tokens[i] ?? '').charAt(0) as LegMode
    days.push(Number((tokens[i] ?? '').slice(1)))
    const place = tokens[i + 1] ?? ''
    places.push(bare(place))
    const railGoesOn = mode === 'R' && (tokens[i + 2] ?? '').startsWith('R')
    if (place.endsWith('*') || railGoesOn) continue
    const route = places.map((code, n) => (n === 0 ? code : `${mode}${days[n - 1]} ${code}`)).join(' ')
    chains.push({ key: `${service}: ${route}`, service, mode, places, days })
    places = [bare(place)]
    days = []
  }
  const from = bare(tokens[0])
  const to = bare(tokens.at(-1))
  return { service, chains, lines: right.trim().split(/\s+/), from, to, shape: shapeOf(chains) }
}

function bare(token: string | undefined): string {
  return (token ?? '').replace('*', '')
}

function shapeOf(chains: readonly Chain[]): LaneShape {
  const calls = chains.flatMap((chain) => chain.places.slice(1))
  if (new Set(calls).size < calls.length) return 'same_port_twice'
  const rail = chains.find((chain) => chain.mode === 'R')
  if (rail !== undefined) return rail.places.length > 2 ? 'rail_interchange' : 'rail'
  if (chains.some((chain) => chain.mode === 'B')) return 'barge'
  if (chains.some((chain) => chain.mode === 'F')) return 'feeder'
  return chains.length > 1 ? 'transshipment' : 'direct'
}
