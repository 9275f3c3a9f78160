// Every setting: its variable, what it accepts, its default, its unit and its purpose. `config.ts` reads the
// environment by this table, and `docs/configuration.md` is written from it, so all settings are in both.

import { accountSettings } from './account-settings.ts'
import { documentSettings } from './document-settings.ts'
import { edgeSettings } from './edge-settings.ts'
import { evidenceSettings } from './evidence-settings.ts'
import { inboundSettings } from './inbound-settings.ts'
import { limitSettings } from './limit-settings.ts'
import { mailInSettings } from './mail-in-settings.ts'
import { mcpSettings } from './mcp-settings.ts'
import { metricsSettings } from './metrics-settings.ts'
import { modelSettings } from './model-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import {
  boxes,
  choice,
  databaseUrl,
  day,
  hosts,
  networks,
  number,
  onOff,
  optionalText,
  port,
  portBeside,
  type Setting,
  secret,
  text,
  url,
  whole,
} from './setting.ts'
import { trackingSettings } from './tracking-settings.ts'
import { webhookSettings } from './webhook-settings.ts'

export const settings = {
  server: {
    port: port('LANDFALL_PORT', 3000, 'Port of the API, its documentation and the portal.'),
    mcpPort: whole(
      'LANDFALL_MCP_PORT',
      { fallback: 3001, min: 0, max: 65_535 },
      'Port of the MCP server at an origin of its own; 0 for none. It is at /mcp of the API as well.',
    ),
    host: text(
      'LANDFALL_HOST',
      '127.0.0.1',
      'Address that the servers listen on. 0.0.0.0 opens them to the network.',
    ),
    publicUrl: url(
      'LANDFALL_PUBLIC_URL',
      'http://<host>:<port>; in links of answers, the Host that the client sent',
      'How clients reach the API. Without it, links and Location in an answer follow the Host header that its client sent, and go to that client alone; webhooks, mails and OAuth never do.',
    ),
    role: choice(
      'LANDFALL_ROLE',
      ['all', 'api', 'worker'],
      'all',
      'What this process does: answer requests, work, or both.',
    ),
    workers: whole(
      'LANDFALL_WORKERS',
      { fallback: 8, min: 1, max: 256 },
      'Jobs that this process works on at the same time.',
    ),
    foldThreads: whole(
      'LANDFALL_FOLD_THREADS',
      { fallback: 1, min: 0, max: 64 },
      'Threads that fold what came into journeys, beside the one that answers; they share LANDFALL_WORKERS, with a database connection for each. 0: the one that answers folds as well, with less memory.',
    ),
    feedStreamsMax: whole(
      'LANDFALL_FEED_STREAMS_MAX',
      { fallback: 50, min: 1, max: 10_000 },
      'Event streams and waiting questions that one account may hold open at this process.',
    ),
    feedHeartbeatSeconds: number(
      'LANDFALL_FEED_HEARTBEAT_SECONDS',
      { fallback: 15, min: 0.1, max: 300 },
      'An event stream says something at least this often, so that nobody on the way takes it for dead.',
    ),
    logLevel: choice(
      'LANDFALL_LOG_LEVEL',
      ['debug', 'info', 'warn', 'error', 'silent'],
      'info',
      'The least important log lines that are written.',
    ),
    secret: secret(
      'LANDFALL_SECRET',
      32,
      'made at first start, kept in the data folder',
      'Seals secrets and what comes unasked at rest, and guards API keys. All processes on one database need the same; a start with another is refused.',
    ),
  },
  mcp: mcpSettings,
  oauth: oauthSettings,
  data: {
    folder: text(
      'LANDFALL_DATA',
      './.landfall',
      'Folder of what is kept: the private database, the first API key, carriers.json.',
    ),
    databaseUrl: databaseUrl(
      'DATABASE_URL',
      'the private database in the data folder',
      'A PostgreSQL server (15 or newer) to use instead of the private one.',
    ),
    migrationDatabaseUrl: databaseUrl(
      'LANDFALL_MIGRATION_DATABASE_URL',
      'DATABASE_URL, whose role then owns the tables',
      'The same database by the role that owns its tables: it migrates, and grants to the role of DATABASE_URL what serving needs.',
    ),
    poolMax: whole(
      'LANDFALL_POOL_MAX',
      { fallback: 16, min: 2, max: 150 },
      'Database connections that this process works with at most; up to four more listen or look back.',
    ),
    accountConnectionsMax: whole(
      'LANDFALL_ACCOUNT_CONNECTIONS_MAX',
      { fallback: 4, min: 1, max: 150 },
      'Of these connections, those that the requests of one account hold at most; never more than half.',
    ),
    requestStatementMs: whole(
      'LANDFALL_REQUEST_STATEMENT_MS',
      { fallback: 5_000, min: 100, max: 30_000 },
      'A statement of the database that a request asks for is cut off after this long (503).',
    ),
    pgBin: optionalText(
      'PG_BIN',
      'found by itself',
      'Folder of the PostgreSQL programs for the private database.',
    ),
    pgSource: choice(
      'LANDFALL_PG',
      ['any', 'machine', 'npm'],
      'any',
      "Whose PostgreSQL programs make a new private database: the machine's, npm's, or the first found.",
    ),
    pgPort: port(
      'LANDFALL_PG_PORT',
      5432,
      "Names the private database's socket; nothing listens on the network.",
    ),
  },
  sandbox: {
    isOn: onOff(
      'LANDFALL_SANDBOX',
      'on, unless carriers.json exists in the data folder',
      'Whether the simulated shipping world runs.',
    ),
    port: portBeside(
      'LANDFALL_SANDBOX_PORT',
      '`LANDFALL_PORT` + 2',
      'Port at which the simulated carriers answer.',
    ),
    speed: number(
      'LANDFALL_SANDBOX_SPEED',
      { fallback: 86_400, min: 1, max: 10_000_000 },
      'Simulated seconds in a real second, until the simulated time has caught up.',
    ),
    seed: text('LANDFALL_SANDBOX_SEED', 'landfall', 'The same seed gives the same simulated world.'),
    aisPort: whole(
      'LANDFALL_SANDBOX_AIS_PORT',
      { fallback: 0, min: 0, max: 65_535 },
      'TCP port at which the simulated ships are heard as NMEA too; 0 for none.',
    ),
  },
  positions: {
    aisStreamKey: secret(
      'LANDFALL_AISSTREAM_KEY',
      8,
      'none: AISStream is not listened to',
      'API key of aisstream.io, whose WebSocket tells where ships are.',
    ),
    aisStreamUrl: text(
      'LANDFALL_AISSTREAM_URL',
      'wss://stream.aisstream.io/v0/stream',
      'Where AISStream, or something that speaks like it, is reached.',
    ),
    boxes: boxes('LANDFALL_AIS_BOXES', 'The parts of the world that AISStream is asked for.'),
    nmea: hosts('LANDFALL_AIS_NMEA', 'Receivers that speak NMEA AIVDM over TCP.'),
    vessels: choice(
      'LANDFALL_AIS_VESSELS',
      ['under_way', 'all'],
      'under_way',
      'Whose positions are stored: ships that have a tracked container on board, or every ship that is heard.',
    ),
    minutes: whole(
      'LANDFALL_AIS_MINUTES',
      { fallback: 10, min: 1, max: 1_440 },
      'Of one ship, no two positions are stored that are closer together than this.',
    ),
    keptDays: whole(
      'LANDFALL_POSITIONS_KEPT_DAYS',
      { fallback: 90, min: 1, max: 3_650 },
      'How long positions are kept; whole months go at once, when their last day is older than this.',
    ),
  },
  network: {
    allowedNetworks: networks(
      'LANDFALL_ALLOWED_NETWORKS',
      'Networks (CIDR, separated by commas) that webhooks and carriers may be in although they are not public.',
    ),
    ...webhookSettings,
    connectTimeoutMs: whole(
      'LANDFALL_CONNECT_TIMEOUT_MS',
      { fallback: 5_000, min: 10, max: 60_000 },
      'Longest wait for a connection to a webhook or a carrier.',
    ),
    deliveryTimeoutMs: whole(
      'LANDFALL_DELIVERY_TIMEOUT_MS',
      { fallback: 15_000, min: 100, max: 120_000 },
      'Longest time that one delivery to a webhook may take.',
    ),
    attemptsKeptDays: whole(
      'LANDFALL_ATTEMPTS_KEPT_DAYS',
      { fallback: 30, min: 1, max: 3_650 },
      'How long attempts to deliver to a webhook, and the bytes that were sent, are kept.',
    ),
    webhookIps: networks(
      'LANDFALL_WEBHOOK_IPS',
      'Addresses that webhooks are called from, told at /v2/webhooks/ips for the firewalls of receivers.',
    ),
    webhookIpsUpdatedOn: day(
      'LANDFALL_WEBHOOK_IPS_UPDATED_ON',
      'Day on which those addresses last changed. Left out, the day of the last start is told.',
    ),
    trustedProxies: networks(
      'LANDFALL_TRUSTED_PROXIES',
      'Reverse proxies whose X-Forwarded headers are believed; the address of a client is read from them.',
    ),
  },
  edge: edgeSettings,
  inbound: inboundSettings,
  mailIn: mailInSettings,
  documents: documentSettings,
  evidence: evidenceSettings,
  model: modelSettings,
  metrics: metricsSettings,
  limits: limitSettings,
  accounts: accountSettings,
  tracking: trackingSettings,
  inference: {
    autoSelect: number(
      'LANDFALL_INFERENCE_AUTO_SELECT',
      { fallback: 0.95, min: 0.5, max: 1 },
      'From this confidence a predicted line is selected without asking.',
    ),
    needsConfirmation: number(
      'LANDFALL_INFERENCE_NEEDS_CONFIRMATION',
      { fallback: 0.7, min: 0, max: 1 },
      'From this confidence a line is predicted at all, to be confirmed by the caller.',
    ),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>
