// The settings about who may ask over HTTP, and how strictly; a group of the table in `settings.ts`.
import { choice, origins, type Setting } from './setting.ts'

export const edgeSettings = {
  corsOrigins: origins(
    'LANDFALL_CORS_ORIGINS',
    'Web pages of these origins (separated by commas; * for all) may read answers of the API that their key opens.',
  ),
  unknownFields: choice(
    'LANDFALL_UNKNOWN_FIELDS',
    ['refuse', 'ignore'],
    'refuse',
    'What is done with query parameters and attributes that are unknown or cannot be written. ignore: they are passed over and listed in meta.ignored; for programs that cannot be changed. A request chooses for itself with `Prefer: handling=lenient` or `handling=strict`.',
  ),
} as const satisfies Record<string, Setting<unknown>>
