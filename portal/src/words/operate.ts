/** Words of the pages for operators. */
export const operateWords = {
  title: 'Operate',
  parts: {
    sources: 'Sources',
    messages: 'Messages',
    issues: 'Data quality',
    inference: 'Inference',
    read: 'Try an answer',
  } as Readonly<Record<string, string>>,
  ready: 'Readiness',
  metrics: 'Metrics',
  activity: 'Activity',
  sources: {
    about:
      'Who is asked and who sends, and what is known of each. Nothing here is a promise: it is what was seen.',
    columns: ['Source', 'Speaks', 'Last heard', 'Answers', 'Delay of news', 'State'],
    asked: 'asked',
    told: 'sends',
    off: 'not enabled',
    left: 'left alone until',
    failures: (count: number): string => `${count} failures in a row`,
    never: 'never',
    answered: (share: number): string => `${Math.round(share * 100)} % of questions`,
    unverified: 'not verified yet',
  },
  messages: {
    about:
      'What was sent to the channels of the account. What was not understood waits here and can be read again.',
    none: 'No message has come.',
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
