// The settings about messages that partners send by themselves; a group of the table in `settings.ts`.
import { integer, optionalText, type Setting } from './setting.ts'

/** The defaults are far above what a partner sends. Only loops and attacks reach them. */
function perMinute(variable: string, fallback: number, which: string): Setting<number> {
  const about = `${which} that each process accepts in a minute. Further ones are answered with 429. 0: no limit.`
  return integer(variable, { fallback, min: 0, max: 1_000_000 }, about)
}

export const inboundSettings = {
  waitingKeptDays: integer(
    'LANDFALL_WAITING_KEPT_DAYS',
    { fallback: 90, min: 1, max: 3_650 },
    'How long a message is kept while no shipment exists that it is about. Then it is deleted. A message that was used for a shipment is kept.',
  ),
  folder: optionalText(
    'LANDFALL_INBOUND_FOLDER',
    '`inbound` in the data folder',
    'Folder with one folder for each channel. An SFTP server or a gateway puts files into them.',
  ),
  folderQuietSeconds: integer(
    'LANDFALL_INBOUND_QUIET_SECONDS',
    { fallback: 10, min: 1, max: 3_600 },
    'A file in such a folder is read when it has not changed for this long.',
  ),
  channelPerMinute: perMinute('LANDFALL_INBOUND_PER_CHANNEL', 6_000, 'Deliveries to one channel'),
  channelMbPerMinute: perMinute('LANDFALL_INBOUND_MB_PER_CHANNEL', 1_000, 'Megabytes to one channel'),
  addressPerMinute: perMinute('LANDFALL_INBOUND_PER_ADDRESS', 12_000, 'Deliveries from one network address'),
  addressMbPerMinute: perMinute('LANDFALL_INBOUND_MB_PER_ADDRESS', 2_000, 'Megabytes from one network address'),
} as const satisfies Record<string, Setting<unknown>>
