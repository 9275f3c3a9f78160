/**
 * The ISO 3166 country codes, and the English names that sources write for them. The first name of each code is the one
 * that we show.
 */

import { once } from './data-files.ts'
import { plainName } from './plain-name.ts'

/** The ISO 3166 code meant by a code or an English name; null when the text is neither. */
export function findCountryCode(text: string): string | null {
  const plain = plainName(text)
  return names().has(plain) ? plain : (codes().get(plain) ?? null)
}

export function findCountryName(code: string): string | null {
  return names().get(code) ?? null
}

export function allCountryCodes(): Iterable<string> {
  return names().keys()
}

const entries = once(() =>
  table
    .trim()
    .split(/[|\n]+/)
    .map((entry) => ({ code: entry.slice(0, 2), names: entry.slice(3).split('=') })),
)
const names = once(() => new Map(entries().map(({ code, names }) => [code, names[0] ?? code] as const)))
const codes = once(
  () => new Map(entries().flatMap(({ code, names }) => names.map((name) => [plainName(name), code] as const))),
)

const table = `
AD Andorra|AE United Arab Emirates=UAE|AF Afghanistan|AG Antigua and Barbuda|AI Anguilla|AL Albania|AM Armenia
AO Angola|AQ Antarctica|AR Argentina|AS American Samoa|AT Austria|AU Australia|AW Aruba|AX Åland Islands
AZ Azerbaijan|BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|BE Belgium|BF Burkina Faso|BG Bulgaria
BH Bahrain|BI Burundi|BJ Benin|BL Saint Barthélemy|BM Bermuda|BN Brunei=Brunei Darussalam
BO Bolivia=Bolivia, Plurinational State of|BQ Bonaire, Sint Eustatius and Saba=Caribbean Netherlands|BR Brazil
BS Bahamas=The Bahamas|BT Bhutan|BW Botswana|BY Belarus|BZ Belize|CA Canada|CC Cocos (Keeling) Islands
CD Congo, Democratic Republic of the=Democratic Republic of the Congo=DR Congo=Congo, The Democratic Republic of the
CF Central African Republic|CG Congo=Republic of the Congo|CH Switzerland|CI Côte d'Ivoire=Ivory Coast
CK Cook Islands|CL Chile|CM Cameroon|CN China=China, People's Republic of=People's Republic of China=PR China=P.R. China
CO Colombia|CR Costa Rica|CU Cuba|CV Cape Verde=Cabo Verde|CW Curaçao|CX Christmas Island|CY Cyprus
CZ Czechia=Czech Republic|DE Germany|DJ Djibouti|DK Denmark|DM Dominica|DO Dominican Republic|DZ Algeria|EC Ecuador
EE Estonia|EG Egypt|EH Western Sahara|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji
FK Falkland Islands=Falkland Islands (Malvinas)|FM Micronesia=Micronesia, Federated States of|FO Faroe Islands|FR France
GA Gabon|GB United Kingdom=UK=Great Britain=United Kingdom of Great Britain and Northern Ireland|GD Grenada|GE Georgia
GF French Guiana|GG Guernsey|GH Ghana|GI Gibraltar|GL Greenland|GM Gambia=The Gambia|GN Guinea|GP Guadeloupe
GQ Equatorial Guinea|GR Greece|GS South Georgia and the South Sandwich Islands|GT Guatemala|GU Guam|GW Guinea-Bissau
GY Guyana|HK Hong Kong=Hong Kong SAR=Hong Kong, China|HM Heard Island and McDonald Islands|HN Honduras|HR Croatia
HT Haiti|HU Hungary|ID Indonesia|IE Ireland|IL Israel|IM Isle of Man|IN India|IO British Indian Ocean Territory|IQ Iraq
IR Iran=Iran, Islamic Republic of|IS Iceland|IT Italy|JE Jersey|JM Jamaica|JO Jordan|JP Japan|KE Kenya|KG Kyrgyzstan
KH Cambodia|KI Kiribati|KM Comoros|KN Saint Kitts and Nevis|KP North Korea=Korea, Democratic People's Republic of
KR South Korea=Korea, Republic of=Republic of Korea=Korea, South|KW Kuwait|KY Cayman Islands|KZ Kazakhstan
LA Laos=Lao People's Democratic Republic|LB Lebanon|LC Saint Lucia|LI Liechtenstein|LK Sri Lanka|LR Liberia|LS Lesotho
LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco|MD Moldova=Moldova, Republic of|ME Montenegro
MF Saint Martin|MG Madagascar|MH Marshall Islands|MK North Macedonia|ML Mali|MM Myanmar=Burma=Myanmar (Burma)|MN Mongolia
MO Macao=Macau|MP Northern Mariana Islands|MQ Martinique|MR Mauritania|MS Montserrat|MT Malta|MU Mauritius|MV Maldives
MW Malawi|MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|NC New Caledonia|NE Niger|NF Norfolk Island|NG Nigeria
NI Nicaragua|NL Netherlands=The Netherlands=Holland|NO Norway|NP Nepal|NR Nauru|NU Niue|NZ New Zealand|OM Oman|PA Panama
PE Peru|PF French Polynesia|PG Papua New Guinea|PH Philippines=The Philippines|PK Pakistan|PL Poland
PM Saint Pierre and Miquelon|PN Pitcairn|PR Puerto Rico|PS Palestine=State of Palestine=Palestine, State of|PT Portugal
PW Palau|PY Paraguay|QA Qatar|RE Réunion|RO Romania|RS Serbia|RU Russia=Russian Federation|RW Rwanda|SA Saudi Arabia
SB Solomon Islands|SC Seychelles|SD Sudan|SE Sweden|SG Singapore|SH Saint Helena=Saint Helena, Ascension and Tristan da Cunha
SI Slovenia|SJ Svalbard and Jan Mayen|SK Slovakia=Slovak Republic|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia
SR Suriname|SS South Sudan|ST São Tomé and Príncipe|SV El Salvador|SX Sint Maarten=Sint Maarten (Dutch part)
SY Syria=Syrian Arab Republic|SZ Eswatini=Swaziland|TC Turks and Caicos Islands|TD Chad|TF French Southern Territories
TG Togo|TH Thailand|TJ Tajikistan|TK Tokelau|TL Timor-Leste|TM Turkmenistan|TN Tunisia|TO Tonga|TR Türkiye=Turkey
TT Trinidad and Tobago|TV Tuvalu|TW Taiwan=Taiwan, China=Taiwan, Province of China=Chinese Taipei
TZ Tanzania=Tanzania, United Republic of|UA Ukraine|UG Uganda|UM United States Minor Outlying Islands
US United States=USA=U.S.A.=U.S.=United States of America|UY Uruguay|UZ Uzbekistan|VA Vatican City=Holy See
VC Saint Vincent and the Grenadines|VE Venezuela=Venezuela, Bolivarian Republic of|VG British Virgin Islands=Virgin Islands, British
VI U.S. Virgin Islands=Virgin Islands, U.S.|VN Vietnam=Viet Nam|VU Vanuatu|WF Wallis and Futuna|WS Samoa
XZ International waters|YE Yemen|YT Mayotte|ZA South Africa|ZM Zambia|ZW Zimbabwe
`
