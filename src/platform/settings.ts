// Every setting: its variable, what it accepts, its default, its unit and its purpose. `config.ts` reads the
// environment by this table, and `docs/configuration.md` is written from it, so all settings are in both.

import { accountSettings } from './account-settings.ts'
import { backupSettings } from './backup-settings.ts'
import { documentSettings } from './document-settings.ts'
import { edgeSettings } from './edge-settings.ts'
import { evidenceSettings } from './evidence-settings.ts'
import { inboundSettings } from './inbound-settings.ts'
import { limitSettings } from './limit-settings.ts'
import { logSettings } from './log-settings.ts'
import { mailInSettings } from './mail-in-settings.ts'
import { mcpSettings } from './mcp-settings.ts'
import { metricsSettings } from './metrics-settings.ts'
import { modelSettings } from './model-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { replicaSettings } from './replica-settings.ts'
import {
  boundingBoxes,
  choice,
  databaseUrl,
  day,
  hosts,
  integer,
  networks,
  number,
  onOff,
  optionalText,
  port,
  portBeside,
  processes,
  type Setting,
  secret,
  text,
  url,
} from './setting.ts'
import { signInSettings } from './sign-in-settings.ts'
import { traceSettings } from './trace-settings.ts'
import { trackingSettings } from './tracking-settings.ts'
import { webhookSettings } from './webhook-settings.ts'

export const settings = {
  server: {
    port: port('LANDFALL_PORT', 3000, 'Port of the API, its documentation and the portal.'),
    mcpPort: integer(
      'LANDFALL_MCP_PORT',
      { fallback: 3001, min: 0, max: 65_535 },
      'Separate port of the MCP server; 0: no separate port. The API also serves MCP at /mcp.',
    ),
    host: text('LANDFALL_HOST', '127.0.0.1', 'Address that the servers listen on. 0.0.0.0 opens them to the network.'),
    publicUrl: url(
      'LANDFALL_PUBLIC_URL',
      'http://<host>:<port>; in links of answers, the Host that the client sent',
      'The address at which clients reach the API. If it is not set, links in an answer use the Host header of the request. Webhooks, mails and OAuth never use that header.',
    ),
    role: choice(
      'LANDFALL_ROLE',
      ['all', 'api', 'worker'],
      'all',
      'What this process does. api: it answers requests. worker: it does the background work. all: both.',
    ),
    apiProcesses: processes(
      'LANDFALL_API_PROCESSES',
      'Processes that answer requests on this machine and share the ports; auto: one for each core. With two or more a parent starts them, starts again what ends, and replaces them one after the other on SIGHUP. The background work of the role all then has a process of its own.',
    ),
    processName: text(
      'LANDFALL_PROCESS_NAME',
      '',
      'Name of this process in its log lines and counters. The processes of LANDFALL_API_PROCESSES have names of their own.',
    ),
    workers: integer(
      'LANDFALL_WORKERS',
      { fallback: 8, min: 1, max: 256 },
      'Jobs that this process works on at the same time.',
    ),
    foldThreads: integer(
      'LANDFALL_FOLD_THREADS',
      { fallback: 1, min: 0, max: 64 },
      'Threads that poll carriers and compute journeys, besides the thread that answers requests. Together they run LANDFALL_WORKERS jobs, each with its own database connection. 0: the thread that answers does it too; that needs less memory.',
    ),
    feedStreamsMax: integer(
      'LANDFALL_FEED_STREAMS_MAX',
      { fallback: 50, min: 1, max: 10_000 },
      'How many event streams and long polls one account may have open at this process.',
    ),
    feedHeartbeatSeconds: number(
      'LANDFALL_FEED_HEARTBEAT_SECONDS',
      { fallback: 15, min: 0.1, max: 300 },
      'An event stream sends something at least this often, so that no proxy closes it as unused.',
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
      'made at the first start and stored in the data folder',
      'Encrypts stored secrets and stored messages of partners, and protects API keys. All processes on one database need the same secret; a process with another secret does not start.',
    ),
  },
  mcp: mcpSettings,
  oauth: oauthSettings,
  signIn: signInSettings,
  data: {
    folder: text(
      'LANDFALL_DATA',
      './.landfall',
      'Folder for all data: the private database, the first API key, carriers.json.',
    ),
    databaseUrl: databaseUrl(
      'DATABASE_URL',
      'the private database in the data folder',
      'A PostgreSQL server (15 or newer) to use instead of the private one.',
    ),
    migrationDatabaseUrl: databaseUrl(
      'LANDFALL_MIGRATION_DATABASE_URL',
      'DATABASE_URL; its role then owns the tables',
      'The same database, with the role that owns the tables. This role runs the migrations and gives the role of DATABASE_URL the rights that it needs.',
    ),
    ...replicaSettings,
    poolMax: integer(
      'LANDFALL_POOL_MAX',
      { fallback: 16, min: 2, max: 150 },
      'Most database connections for the work of this process, and to each read replica. It may open up to five more: to wait for notices, to show that it lives, to read earlier states, and one more to ask the primary where there are replicas.',
    ),
    accountConnectionsMax: integer(
      'LANDFALL_ACCOUNT_CONNECTIONS_MAX',
      { fallback: 4, min: 1, max: 150 },
      'Most of these connections that the requests of one account use at the same time; never more than half of them.',
    ),
    requestStatementMs: integer(
      'LANDFALL_REQUEST_STATEMENT_MS',
      { fallback: 5_000, min: 100, max: 30_000 },
      'Longest time of one database statement of an API request. After it the statement is cancelled and the answer is 503.',
    ),
    pgBin: optionalText('PG_BIN', 'found by itself', 'Folder of the PostgreSQL programs for the private database.'),
    pgSource: choice(
      'LANDFALL_PG',
      ['any', 'machine', 'npm'],
      'any',
      'Which PostgreSQL programs create a new private database. machine: those installed on the machine. npm: those of the npm package. any: the first that is found.',
    ),
    pgPort: port(
      'LANDFALL_PG_PORT',
      5432,
      "A part of the name of the private database's socket. No network port is opened.",
    ),
  },
  sandbox: {
    isOn: onOff(
      'LANDFALL_SANDBOX',
      'on, unless carriers.json exists in the data folder',
      'Whether the simulated shipping world runs.',
    ),
    port: portBeside('LANDFALL_SANDBOX_PORT', '`LANDFALL_PORT` + 2', 'Port at which the simulated carriers answer.'),
    speed: number(
      'LANDFALL_SANDBOX_SPEED',
      { fallback: 86_400, min: 1, max: 10_000_000 },
      'Simulated seconds in a real second, until the simulated time has caught up.',
    ),
    seed: text('LANDFALL_SANDBOX_SEED', 'landfall', 'The same seed gives the same simulated world.'),
    aisPort: integer(
      'LANDFALL_SANDBOX_AIS_PORT',
      { fallback: 0, min: 0, max: 65_535 },
      'TCP port at which the positions of the simulated ships can be read as NMEA; 0: no port.',
    ),
  },
  positions: {
    aisStreamKey: secret(
      'LANDFALL_AISSTREAM_KEY',
      8,
      'none: AISStream is not used',
      'API key of aisstream.io, a WebSocket service for the positions of ships.',
    ),
    aisStreamUrl: text(
      'LANDFALL_AISSTREAM_URL',
      'wss://stream.aisstream.io/v0/stream',
      'Address of AISStream, or of servers with the same protocol, separated by commas.',
    ),
    boxes: boundingBoxes('LANDFALL_AIS_BOXES', 'The areas for which AISStream sends positions.'),
    nmea: hosts('LANDFALL_AIS_NMEA', 'Receivers that speak NMEA AIVDM over TCP.'),
    nmeaUdp: hosts(
      'LANDFALL_AIS_NMEA_UDP',
      'Senders of NMEA AIVDM over UDP: the host that sends, and the port of this machine to which it sends.',
    ),
    digitrafficUrl: optionalText(
      'LANDFALL_AIS_DIGITRAFFIC',
      'none: Digitraffic is not used',
      'Address of Digitraffic, the open AIS data of Finland: https://meri.digitraffic.fi',
    ),
    vessels: choice(
      'LANDFALL_AIS_VESSELS',
      ['under_way', 'all'],
      'under_way',
      'Whose positions are stored. under_way: ships that carry a tracked container. all: every ship whose position is received.',
    ),
    minutes: integer(
      'LANDFALL_AIS_MINUTES',
      { fallback: 10, min: 1, max: 1_440 },
      'Least time between two stored positions of one ship.',
    ),
    silentMinutes: integer(
      'LANDFALL_AIS_SILENT_MINUTES',
      { fallback: 15, min: 1, max: 1_440 },
      'A feed of positions that sends nothing for so long, or less than a tenth of what it usually sends, is reported.',
    ),
    keptDays: integer(
      'LANDFALL_POSITIONS_KEPT_DAYS',
      { fallback: 90, min: 1, max: 3_650 },
      'How long positions are kept. They are deleted month by month, when the last day of the month is older than this.',
    ),
  },
  network: {
    allowedNetworks: networks(
      'LANDFALL_ALLOWED_NETWORKS',
      'Private networks (CIDR, separated by commas) in which webhooks and carriers may be. Other private networks are refused.',
    ),
    ...webhookSettings,
    connectTimeoutMs: integer(
      'LANDFALL_CONNECT_TIMEOUT_MS',
      { fallback: 5_000, min: 10, max: 60_000 },
      'Longest wait for a connection to a webhook or a carrier.',
    ),
    deliveryTimeoutMs: integer(
      'LANDFALL_DELIVERY_TIMEOUT_MS',
      { fallback: 15_000, min: 100, max: 120_000 },
      'Longest time that one delivery to a webhook may take.',
    ),
    attemptsKeptDays: integer(
      'LANDFALL_ATTEMPTS_KEPT_DAYS',
      { fallback: 30, min: 1, max: 3_650 },
      'How long the attempts to deliver to a webhook are kept, with the bytes that were sent. Attempts are deleted day by day.',
    ),
    notificationsKeptDays: integer(
      'LANDFALL_NOTIFICATIONS_KEPT_DAYS',
      { fallback: 0, min: 0, max: 3_650 },
      'How long notifications are kept. They are deleted month by month, when the last day of the month is older than this. 0: for ever.',
    ),
    webhookIps: networks(
      'LANDFALL_WEBHOOK_IPS',
      'Addresses from which this installation calls webhooks. /v2/webhooks/ips shows them, for the firewalls of receivers.',
    ),
    webhookIpsUpdatedOn: day(
      'LANDFALL_WEBHOOK_IPS_UPDATED_ON',
      'Day on which those addresses last changed. If it is not set, /v2/webhooks/ips shows the day of the last start.',
    ),
    trustedProxies: networks(
      'LANDFALL_TRUSTED_PROXIES',
      'Reverse proxies whose X-Forwarded headers are trusted. The address of a client is read from these headers.',
    ),
  },
  edge: edgeSettings,
  inbound: inboundSettings,
  mailIn: mailInSettings,
  documents: documentSettings,
  evidence: evidenceSettings,
  backup: backupSettings,
  log: logSettings,
  model: modelSettings,
  metrics: metricsSettings,
  traces: traceSettings,
  limits: limitSettings,
  accounts: accountSettings,
  tracking: trackingSettings,
  inference: {
    autoSelect: number(
      'LANDFALL_INFERENCE_AUTO_SELECT',
      { fallback: 0.95, min: 0.5, max: 1 },
      'From this confidence on, the predicted carrier is used without a question to the caller.',
    ),
    needsConfirmation: number(
      'LANDFALL_INFERENCE_NEEDS_CONFIRMATION',
      { fallback: 0.7, min: 0, max: 1 },
      'From this confidence on, a carrier is predicted; the caller must confirm it.',
    ),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>
