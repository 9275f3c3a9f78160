// The events that the process counts: the name of each in the log, its level, its meaning and its labels.
import type { LogEvent, LogLevel } from './log.ts'

export type BusinessEvent = {
  /** Its name in the log. The counter's name is made from it: `landfall_look_finished_total`. */
  readonly event: LogEvent
  readonly level: LogLevel
  readonly help: string
  /** Each label has few values: a label with an id in it would make a time series for every shipment. */
  readonly labels: readonly string[]
}

/** The key is the name of the method that logs and counts the event. */
export const businessEvents = {
  attemptsRefused: {
    event: 'attempts.refused',
    level: 'warn',
    help: 'Passwords, codes and keys that were not even looked at, because too many were tried.',
    labels: ['kind'],
  },
  boxReturned: {
    event: 'box.returned',
    level: 'debug',
    help: 'Boxes that came back empty, at the end of their journey.',
    labels: ['scac'],
  },
  ceilingReached: {
    event: 'ceiling.reached',
    level: 'warn',
    help: 'Times that the requests of a day or month to a source were spent.',
    labels: ['code'],
  },
  channelAsked: {
    event: 'channel.asked',
    level: 'info',
    help: 'Questions to channels that are asked as well, that were answered.',
    labels: ['outcome'],
  },
  channelAskFailed: {
    event: 'channel.ask_failed',
    level: 'warn',
    help: 'Questions to channels that are asked as well, that brought nothing or not all.',
    labels: ['reason'],
  },
  connectionsRefused: {
    event: 'connections.refused',
    level: 'debug',
    help: 'Connections of addresses that hold as many as they may.',
    labels: [],
  },
  deliveryAttempted: {
    event: 'delivery.attempted',
    level: 'info',
    help: 'Attempts to deliver a notification.',
    labels: ['outcome'],
  },
  deliveryGivenUp: {
    event: 'delivery.given_up',
    level: 'warn',
    help: 'Notifications whose attempts are used up.',
    labels: [],
  },
  documentFailed: {
    event: 'document.failed',
    level: 'warn',
    help: 'Documents that could not be read, by why.',
    labels: ['reason'],
  },
  documentHandedIn: {
    event: 'document.handed_in',
    level: 'info',
    help: 'Documents that were handed in, by the way they came.',
    labels: ['source'],
  },
  documentModelAsked: {
    event: 'document.model_asked',
    level: 'info',
    help: 'Questions about documents to the language model, by what came of them. Only of accounts that switched it on.',
    labels: ['outcome', 'account'],
  },
  documentModelTokens: {
    event: 'document.model_tokens',
    level: 'debug',
    help: 'Tokens that the language model counted, of the question (in) and of its answer (out).',
    labels: ['direction', 'account'],
  },
  documentRead: {
    event: 'document.read',
    level: 'info',
    help: 'Documents that were read, by what they are.',
    labels: ['type'],
  },
  emailPartSettled: {
    event: 'email.part_settled',
    level: 'info',
    help: 'Attachments of e-mails, by what became of them.',
    labels: ['state'],
  },
  emailRefused: {
    event: 'email.refused',
    level: 'info',
    help: 'Recipients and e-mails that were not taken in, by why.',
    labels: ['reason'],
  },
  emailTaken: {
    event: 'email.taken',
    level: 'info',
    help: 'E-mails that were taken in, and those that had come before.',
    labels: ['outcome'],
  },
  eventEmitted: {
    event: 'event.emitted',
    level: 'debug',
    help: 'Domain events, by what happened.',
    labels: ['name'],
  },
  fileFailed: { event: 'file.failed', level: 'error', help: 'Files that wait for another try.', labels: [] },
  fileTaken: {
    event: 'file.taken',
    level: 'info',
    help: 'Files in the folders of channels, by what became of them.',
    labels: ['outcome'],
  },
  historyMended: {
    event: 'history.mended',
    level: 'debug',
    help: 'Requests and shipments that were brought up to mended readers and merge rules.',
    labels: ['kind', 'outcome'],
  },
  issueRaised: {
    event: 'issue.raised',
    level: 'info',
    help: 'Things in a source that could not be read.',
    labels: ['scac', 'kind'],
  },
  jobFailed: {
    event: 'job.failed',
    level: 'error',
    help: 'Jobs that ended in an unexpected error.',
    labels: ['job'],
  },
  journeyProjected: {
    event: 'journey.projected',
    level: 'debug',
    help: 'Shipments projected anew, by whether they were made, changed or left unchanged.',
    labels: ['outcome'],
  },
  keyRefused: {
    event: 'key.refused',
    level: 'warn',
    help: 'Requests with a key that could not be verified.',
    labels: [],
  },
  limitsRefused: {
    event: 'limits.refused',
    level: 'info',
    help: 'Requests above the limit of a bucket.',
    labels: ['bucket'],
  },
  limitsStoreFailed: {
    event: 'limits.store_failed',
    level: 'warn',
    help: 'Turns that the store of the limits could not count, so that the next one did.',
    labels: ['store'],
  },
  lineLeftAlone: {
    event: 'line.left_alone',
    level: 'warn',
    help: 'Times that a carrier asked to be left alone for a while (Retry-After).',
    labels: ['scac'],
  },
  lineMisread: {
    event: 'line.misread',
    level: 'error',
    help: 'Times that suddenly less of what a carrier answers was understood.',
    labels: ['scac'],
  },
  lookFailed: {
    event: 'look.failed',
    level: 'warn',
    help: 'Looks at a carrier that brought nothing.',
    labels: ['scac', 'reason'],
  },
  lookFinished: {
    event: 'look.finished',
    level: 'info',
    help: 'Looks at a carrier that brought an answer.',
    labels: ['scac', 'outcome'],
  },
  mailDropped: {
    event: 'mail.dropped',
    level: 'error',
    help: 'Mails that no mail server took while what they carry was good.',
    labels: ['kind'],
  },
  mailPostponed: {
    event: 'mail.postponed',
    level: 'warn',
    help: 'Mails that the mail server did not take just now.',
    labels: ['kind'],
  },
  mailSent: {
    event: 'mail.sent',
    level: 'info',
    help: 'Mails that the mail server has taken.',
    labels: ['kind'],
  },
  mentionExpired: { event: 'mention.expired', level: 'info', help: 'Parts that waited in vain.', labels: [] },
  milestoneUntold: {
    event: 'milestone.untold',
    level: 'debug',
    help: 'Milestones that nobody had told of a box when it came back empty.',
    labels: ['scac', 'name'],
  },
  oauthGrantEnded: {
    event: 'oauth.grant_ended',
    level: 'info',
    help: 'Connected apps that were shut out, by why.',
    labels: ['because'],
  },
  oauthKeyRotated: {
    event: 'oauth.key_rotated',
    level: 'info',
    help: 'Keys made for the authorization server, by why.',
    labels: ['because'],
  },
  readMoved: {
    event: 'read.moved',
    level: 'warn',
    help: 'Requests that went on at the primary because a statement could not be read at their replica.',
    labels: ['reason'],
  },
  readPlaced: {
    event: 'read.placed',
    level: 'debug',
    help: 'Requests that only read, by where they read: at a replica, or at the primary and why.',
    labels: ['target', 'reason'],
  },
  requestAnswered: {
    event: 'request.answered',
    level: 'info',
    help: 'Requests answered by the API.',
    labels: ['method', 'route', 'status'],
  },
  requestCrashed: {
    event: 'request.crashed',
    level: 'error',
    help: 'Requests that ended in an unexpected error.',
    labels: ['route'],
  },
  signInAccepted: { event: 'sign_in.accepted', level: 'info', help: 'People who signed in.', labels: [] },
  signInRefused: {
    event: 'sign_in.refused',
    level: 'warn',
    help: 'Passwords and codes that were not right.',
    labels: [],
  },
  snapshotAbsorbed: {
    event: 'snapshot.absorbed',
    level: 'debug',
    help: 'Snapshots read into claims, once for each request that listens.',
    labels: ['scac'],
  },
  statementContradicted: {
    event: 'statement.contradicted',
    level: 'info',
    help: 'Statements that another word overruled, once for each shipment, by whose they were.',
    labels: ['speaker', 'code'],
  },
  streamClosed: {
    event: 'stream.closed',
    level: 'info',
    help: 'Event streams that ended, whoever ended them.',
    labels: [],
  },
  streamOpened: { event: 'stream.opened', level: 'info', help: 'Event streams that began.', labels: [] },
  trackingStopped: {
    event: 'tracking.stopped',
    level: 'info',
    help: 'Shipments whose tracking stopped.',
    labels: ['reason'],
  },
  trackingRequestChanged: {
    event: 'tracking_request.changed',
    level: 'info',
    help: 'Tracking requests by the status they came to.',
    labels: ['status'],
  },
  trackingRequestCreated: {
    event: 'tracking_request.created',
    level: 'info',
    help: 'Tracking requests made; `scac` is `unknown` where the line is to be found.',
    labels: ['scac', 'type'],
  },
  vesselArrived: {
    event: 'vessel.arrived',
    level: 'info',
    help: 'Shipments whose ship was seen to arrive.',
    labels: ['feed'],
  },
  webhookDisabled: {
    event: 'webhook.disabled',
    level: 'warn',
    help: 'Webhooks disabled because they only failed.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, BusinessEvent>>

export type BusinessEventName = keyof typeof businessEvents
