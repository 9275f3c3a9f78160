/** What no run computes: the model card's words on use, choices and limits. */

export const closingText: readonly string[] = [
  '## What the figures say',
  '- Formats, prefixes, check digits and the register of owner codes carry to any source. Who had a leased box in one list says nothing of who has it in another, and shapes say more of who shipped than of whose they are: such counts are not shipped when they surprise. On an unknown source a leased box gets no prediction, only candidates.',
  '- An account’s own outcomes change that: see "within".',
  '- Bay plans of one vessel are tested on boxes of the same vessel: neighbours of the same batch are on both sides. That is what an account that learns meets; a new account does not.',
  '',
  '## Chosen, and how',
  '- Part of owned boxes that move for their owner, recall of formats, share of prefixes, first characters that a line seldom writes: counted over sources that include these. They, the part for lines that share boxes (0.97, a judgement) and the 0.01 nats above were settled after a first look at the figures across, so these are not blind to them.',
  '- Shares of carriers before any evidence: the public rankings of fleets of 2025, rounded.',
  '- Concentrations (8 down to 2 for leased boxes, 60 for owned ones), half-life of leases (48 months), gates (20 outcomes, 3 bills, 18 months; 10 outcomes of a shape): set before any figure was seen. Others were tried within three sources and made no difference that counts.',
  '- Weights of the sources’ counts: by the table above, nested.',
  '- Calibration error: 20 bins of confidence over all numbers, each source weighing the same. Of single sources it is larger, for what a source ships is not what the world ships: where nothing is known of a leased box, one list is all of the carrier with the most ships and the next has none of its boxes.',
  '',
  '## Limits',
  '- The register of owner codes is of about 2020. Codes that are newer are learned, or come with the lines’ own table.',
  '- Lines without public samples (prefix only in the formats’ table) are recognised by their prefix, not by bare numbers.',
  '- A booking and a bill that are one string are called a bill. Maersk’s brands are one carrier; Hamburg Süd is Maersk.',
  '- A carrier outside coverage is never a candidate; its belief is what the candidates lack to one.',
]
