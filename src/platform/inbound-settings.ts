// The settings about messages that others send unasked; a group of the table in `settings.ts`.
import { optionalText, type Setting, whole } from './setting.ts'

/** The defaults are far above what a partner sends. Only loops and attacks reach them. */
function perMinute(variable: string, fallback: number, which: string): Setting<number> {
  const about = `${which} that each process takes in a minute (429 beyond); 0 is no limit.`
  return whole(variable, { fallback, min: 0, max: 1_000_000 }, about)
}

export const inboundSettings = {
  waitingKeptDays: whole(
    'LANDFALL_WAITING_KEPT_DAYS',
    { fallback: 90, min: 1, max: 3_650 },
    'How long what was sent waits for a shipment that it is about; then it is let go of. What was heard stays.',
  ),
  folder: optionalText(
    'LANDFALL_INBOUND_FOLDER',
    '`inbound` in the data folder',
    'Folder below which channels have their own, which an SFTP server or a gateway fills.',
  ),
  folderQuietSeconds: whole(
    'LANDFALL_INBOUND_QUIET_SECONDS',
    { fallback: 10, min: 1, max: 3_600 },
    'A file in such a folder is read when it has not changed for so long.',
  ),
  channelPerMinute: perMinute('LANDFALL_INBOUND_PER_CHANNEL', 6_000, 'Deliveries of one channel'),
  channelMbPerMinute: perMinute('LANDFALL_INBOUND_MB_PER_CHANNEL', 1_000, 'Megabytes of one channel'),
  addressPerMinute: perMinute('LANDFALL_INBOUND_PER_ADDRESS', 12_000, 'Deliveries of one address'),
  addressMbPerMinute: perMinute('LANDFALL_INBOUND_MB_PER_ADDRESS', 2_000, 'Megabytes of one address'),
} as const satisfies Record<string, Setting<unknown>>
