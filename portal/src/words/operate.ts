/** Words of the pages for operators. */
export const operateWords = {
  title: 'Operate',
  parts: {
    sources: 'Sources',
    jobs: 'Work',
    messages: 'Messages',
    issues: 'Data quality',
    inference: 'Inference',
    read: 'Try an answer',
  } as Readonly<Record<string, string>>,
  ready: 'Readiness',
  metrics: 'Metrics',
  sources: {
    about:
      'Who is asked and who sends, and what is known of each. Nothing here is a promise: it is what was seen.',
    columns: [
      'Source',
      'Speaks',
      'Last heard',
      'Answers',
      'Milestones known',
      'Requests today',
      'Delay of news',
      'State',
    ],
    understood: (understood: number, all: number): string => `${understood} of ${all} events understood`,
    contradicted: (count: number): string => `contradicted ${count} times`,
    known: (share: number): string => `${Math.round(share * 100)} %`,
    ownShare: (share: number, boxes: number): string =>
      `${Math.round(share * 100)} % by it, of ${boxes} containers`,
    ofCeiling: (today: number, ceiling: number): string => `${today} of ${ceiling}`,
    thisMonth: (count: number): string => `${count.toLocaleString('en')} this month`,
    asked: 'asked',
    told: 'sends',
    off: 'not enabled',
    left: 'left alone until',
    failures: (count: number): string => `${count} failures in a row`,
    never: 'never',
    answered: (share: number): string => `${Math.round(share * 100)} % of questions`,
    unverified: 'not verified yet',
  },
  jobs: {
    about: 'What waits, what is under way and how fast it goes, and what was tried in vain.',
    course: 'Under way',
    courseNone: 'Nothing that has a beginning and an end is under way.',
    queue: 'Waiting',
    columns: ['Work', 'Waiting', 'Oldest', 'Tried in vain'],
    kinds: {
      reading: 'Answers and messages to be read',
      documents: 'Documents to be read',
      emails: 'E-mails to be taken apart',
      deliveries: 'Deliveries to webhooks',
      charges: 'Containers whose charges are counted',
      batch: 'Batch of numbers',
      import: 'Import of a table',
      readers: 'History is read again after an update',
      rules: 'History is folded again after an update',
    } as Readonly<Record<string, string>>,
    reasons: {
      fault: 'a fault here; the log has the cause',
      unfinished: 'a process ended in the middle of it',
      receiver: 'the receiver did not take it',
    } as Readonly<Record<string, string>>,
    nothing: 'nothing',
    more: (count: number): string => `more than ${count.toLocaleString('en')}`,
    noTime: 'not kept',
    progress: (done: number, total: number | null): string =>
      total === null
        ? `${done.toLocaleString('en')} done`
        : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
    rate: (perMinute: number): string => `${perMinute.toLocaleString('en')} a minute`,
    left: (seconds: number): string =>
      seconds < 60
        ? 'less than a minute left'
        : seconds < 7_200
          ? `${Math.round(seconds / 60)} minutes left`
          : `${Math.round(seconds / 3_600)} hours left`,
    leftUnknown: 'not known how long it takes',
    began: 'began',
    failed: (count: number): string => `${count} in vain`,
    attempts: (count: number): string => `${count} ${count === 1 ? 'attempt' : 'attempts'}`,
    next: 'again',
  },
  messages: {
    about:
      'What was sent to the channels of the account. What was not understood waits here and can be read again.',
    none: 'No message has come.',
    fault: (kind: string, detail: string, lost: string): string => `${kind}: ${detail} (lost: ${lost})`,
    status: 'State',
    replay: 'Read it again',
    replayed: 'It is being read again.',
    open: 'Show the message',
    columns: ['Received', 'Channel', 'Type', 'Bytes', 'State', ''],
  },
  issues: {
    about:
      'What could not be read or believed in the answers of the lines. Nothing of it is lost: a mended reader reads it again.',
    none: 'No issue was seen.',
    line: 'Line',
    columns: ['Last seen', 'Line', 'Kind', 'Lost', 'What', 'Times'],
  },
  inference: {
    about: 'How often the line was found without asking, and how often that was right, in this account.',
    none: 'Nothing was predicted yet.',
    predictions: 'Predictions',
    confirmed: 'Confirmed by an answer',
    accuracy: 'First candidate right',
    coverage: 'Chosen without asking',
    error: 'Calibration error',
    curve: 'Confidence against truth',
    curveAbout: 'On the line, a confidence of 80 % is right eight times of ten.',
    unknown: 'not known yet',
  },
  read: {
    about:
      'Paste an answer of a line (DCSA Track & Trace) and see what is read of it, and what is lost and why. Nothing is stored.',
    line: 'Shipping line',
    number: 'Number that was asked, if it matters',
    answer: 'Answer',
    read: 'Read',
    events: (told: number, understood: number, partly: number, lost: number): string =>
      `${told} events: ${understood} understood, ${partly} in part, ${lost} lost.`,
    said: 'Read',
    nothing: 'nothing',
    lost: 'Lost, and other issues',
    lostNone: 'Nothing.',
    where: 'Where in the answer',
    what: 'What',
    missing: 'Missing by it',
    whole: 'the whole',
  },
} as const
