/** The time zones of the ports and inland points that the golden stories speak of (UN/LOCODE → IANA). */

export const zones: ReadonlyMap<string, string> = new Map([
  ['BEANR', 'Europe/Brussels'],
  ['CAVAN', 'America/Vancouver'],
  ['CNNGB', 'Asia/Shanghai'],
  ['CNNKG', 'Asia/Shanghai'],
  ['CNSHG', 'Asia/Shanghai'],
  ['CNYTN', 'Asia/Shanghai'],
  ['HKHKG', 'Asia/Hong_Kong'],
  ['KRPUS', 'Asia/Seoul'],
  ['LKCMB', 'Asia/Colombo'],
  ['NLRTM', 'Europe/Amsterdam'],
  ['NZAKL', 'Pacific/Auckland'],
  ['SGSIN', 'Asia/Singapore'],
  ['TWKHH', 'Asia/Taipei'],
  ['USCHI', 'America/Chicago'],
  ['USHNL', 'Pacific/Honolulu'],
  ['USLAX', 'America/Los_Angeles'],
  ['USLGB', 'America/Los_Angeles'],
  ['USMEM', 'America/Chicago'],
  ['USOAK', 'America/Los_Angeles'],
])
