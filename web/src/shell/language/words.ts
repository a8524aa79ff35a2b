import { downloads } from '#ui/arrived.ts'
import { currentLanguage, type Language, onLanguageLoad, useLanguage } from './language.ts'

/**
 * Words of a feature, in a catalogue of its own that downloads with the feature's chunk, one language at a time:
 *
 *   words.en.ts   export const en = { title: 'Students', count: { one: '{n} student', other: '{n} students' } }
 *   words.hi.ts   export const hi: WordsLike<typeof en> = { … }          a missing key fails the type check
 *   words.ts      export const words = defineWords({
 *                   en: () => import('./words.en.ts').then((m) => m.en),
 *                   hi: () => import('./words.hi.ts').then((m) => m.hi),
 *                 })
 *   a component   const t = words.use();  t('title');  t('count', { n: 312 })
 */
export interface Plural {
  one: string
  other: string
}
type Catalogue = Record<string, string | Plural>

/** The shape another language must have: the same keys, a sentence for a sentence, a plural for a plural. */
export type WordsLike<En extends Catalogue> = { [K in keyof En]: En[K] extends string ? string : Plural }

/** `t('key', { n })`: fills `{places}`; a plural is chosen by `n`, which is shown with en-IN grouping. */
export type Translate<En extends Catalogue> = (
  key: keyof En & string,
  values?: Record<string, string | number>,
) => string

interface Sources<En extends Catalogue> {
  en: () => Promise<En>
  hi: () => Promise<WordsLike<En>>
}

export interface Words<En extends Catalogue> {
  /** Inside a component; waits (Suspense) for the first download. */
  use: () => Translate<En>
  /** Outside of one, after the words have been downloaded (`await words.load()`). */
  load: (language?: Language) => Promise<Translate<En>>
}

const plurals: Record<Language, Intl.PluralRules> = {
  en: new Intl.PluralRules('en-IN'),
  hi: new Intl.PluralRules('hi-IN'),
}

function translator<En extends Catalogue>(catalogue: Catalogue, language: Language): Translate<En> {
  return (key, values = {}) => {
    const entry = catalogue[key]
    if (entry === undefined) return key
    const form =
      typeof values.n === 'number' && plurals[language].select(values.n) === 'one' ? 'one' : 'other'
    const sentence = typeof entry === 'string' ? entry : entry[form]
    return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? value.toLocaleString('en-IN') : (value ?? place)
    })
  }
}

/** Registers a catalogue; its download in the language of the page begins at once, beside the chunk that asks. */
export function defineWords<En extends Catalogue>(sources: Sources<En>): Words<En> {
  const catalogues = downloads(async (language: Language): Promise<Translate<En>> => {
    const catalogue: Catalogue = await sources[language]()
    return translator<En>(catalogue, language)
  })
  const load = (language = currentLanguage()) => catalogues.load(language)
  onLanguageLoad(load)
  void load().catch(() => undefined)
  return { load, use: () => catalogues.take(useLanguage()) }
}
