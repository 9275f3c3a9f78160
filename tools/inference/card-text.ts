/** The parts of the model card that are not computed: use, choices and limits. */

export const closingText: readonly string[] = [
  '## What the figures say',
  '- Formats, prefixes, check digits and the register of owner codes carry to any source. Boxes of one lessor within a thousand serials share their line in one list ("neighbours"), so an account and a crowd learn by them. Across these sources they do not: they are of other years and mostly of one line each, so that counts of leased boxes say more of whose list it was than of whose the box is, as shapes say more of who shipped. Such counts are not shipped when they surprise. A leased box of an unknown source gets no prediction alone, only candidates; the others of its list tell more ("by group").',
  '- An account’s own outcomes change that: see "within".',
  '- Boxes of APL were APL’s in the bay plan of 2016 and are taken for CMA CGM’s, which took over its services in 2020: that is what its owned boxes lost since.',
  '- Bay plans of one vessel are tested on boxes of the same vessel: neighbours of the same batch are on both sides. That is what an account that learns meets; a new account does not.',
  '',
  '## Chosen, and how',
  '- Part of owned boxes that move for their owner, recall of formats, share of prefixes, first characters that a line seldom writes: counted over sources that include these. They, the part for lines that share boxes (0.97, a judgement) and the 0.01 nats above were settled after a first look at the figures across, so these are not blind to them. Of APL’s boxes 0.8 for CMA CGM is a judgement.',
  '- Shares of carriers before any evidence: the public rankings of fleets of 2025, rounded.',
  '- Concentrations (8 down to 2 for leased boxes, 60 for owned ones), half-life of leases (48 months), gates (20 outcomes, 3 bills, 18 months; 10 outcomes of a shape): set before any figure was seen. Others were tried within three sources and made no difference that counts.',
  '- How lists are of one line, of few or of any (0.4, 0.55, 0.05; one slip in a hundred; 1.5 numbers beforehand; four fifths by the list’s own shares): by the surprise a number over these sources, by group and in random lists of 8 and 40, cold and learnt. It changes little around them. Of one line are more of these lists than of a customer’s batches, so 0.4 is less than they would have it. What was chosen by all of them is not blind to any.',
  '- Weights of the sources’ counts: by the table above, nested.',
  '- Calibration error: 20 bins of confidence over all numbers, with equal weight for each source. No temperature is fitted: over all sources, the confidence and the share of right predictions agree for each kind (leased boxes 0.20 and 0.20 cold), and single sources differ in both directions, so no one scale corrects them. For single sources the error is larger, because a source does not ship what the world ships: if nothing is known about a leased box, one list has only boxes of the carrier with the most ships, and the next has none.',
  '',
  '## Limits',
  '- The register of owner codes is of about 2020. Codes that are newer are learned, or come with the lines’ own table.',
  '- Lines without public samples (prefix only in the formats’ table) are recognised by their prefix, not by bare numbers.',
  '- A booking and a bill that are one string are called a bill. Maersk’s brands are one carrier; Hamburg Süd is Maersk.',
  '- A carrier outside coverage is never a candidate; its belief is what the candidates lack to one.',
]
