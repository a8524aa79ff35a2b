import type { Language } from './language.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = new Map<string, string>()
/** Countries that some browsers call otherwise in English than the portal does. */
const calledOtherwise = {
  'Falkland Islands': 'FK',
  'Hong Kong SAR China': 'HK',
  'Macao SAR China': 'MO',
  'Palestinian Territories': 'PS',
}

const namesIn = (language: string) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })

/** A country in the language of the page, found by the English name that the portal keeps: browsers know most by it. */
export function countryIn(language: Language, english: string): string {
  if (language === 'en') return english
  if (codes.size === 0) {
    const known = namesIn('en')
    for (const code of letters.flatMap((first) => letters.map((second) => first + second)))
      codes.set(known.of(code) ?? '', code)
    for (const [name, code] of Object.entries(calledOtherwise)) codes.set(name, code)
  }
  const code = codes.get(english)
  return (code && namesIn(language).of(code)) ?? english
}
