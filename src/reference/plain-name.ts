/**
 * The spelling under which two names are the same name: case, accents, punctuation, `&` and a leading `St.` do not
 * count. It makes writings of one name equal and never brings different names nearer to each other.
 */
export function plainName(name: string): string {
  const upper = name.toUpperCase()
  // 87 % of UN/LOCODE's names are nothing but words; the rest of the work is for the others.
  if (isOnlyWords.test(upper)) return upper
  return foldAccents(upper)
    .replace(/['’`]/g, '')
    .replaceAll('&', ' AND ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^ST /, 'SAINT ')
}

const isOnlyWords = /^(?!ST )[A-Z]+(?: [A-Z]+)*$/

/** Letters that Unicode does not take apart into a base letter and an accent. */
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
