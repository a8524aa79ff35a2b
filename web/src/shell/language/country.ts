import type { Language } from './language.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = new Map<string, string>()
/** Countries whose English name in some browsers differs from the portal's. */
const otherBrowserNames = {
  'Falkland Islands': 'FK',
  'Hong Kong SAR China': 'HK',
  'Macao SAR China': 'MO',
  'Palestinian Territories': 'PS',
}

const namesIn = (language: string) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })

/** Returns a country's name in the page's language; stored is the English one, by which browsers know most. */
export function countryName(language: Language, english: string): string {
  if (language === 'en') return english
  if (codes.size === 0) {
    const englishNames = namesIn('en')
    for (const code of letters.flatMap((first) => letters.map((second) => first + second)))
      codes.set(englishNames.of(code) ?? '', code)
    for (const [name, code] of Object.entries(otherBrowserNames)) codes.set(name, code)
  }
  const code = codes.get(english)
  return (code && namesIn(language).of(code)) ?? english
}
