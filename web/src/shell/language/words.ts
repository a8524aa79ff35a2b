import { formatNumber } from '@podium/contract/figures'
import { downloads } from '#ui/lazy-part.ts'
import {
  type Catalogue,
  currentLanguage,
  type Language,
  loadCatalogue,
  onLanguageLoad,
  type Sources,
  useLanguage,
} from './language.ts'
import { translateSentence } from './sentences.ts'

/**
 * Words of a feature: `web/words/<language>/<name>.json`, downloaded with the feature's chunk, one language at a time.
 *
 *   en/students.json   { "title": "Students", "count": { "one": "{n} student", "other": "{n} students" } }
 *   a page, a dialog   const words = defineWords<typeof en>(import.meta.glob(…))
 *   a component        const t = words.use();  t('title');  t('count', { n: 312 })
 */

/**
 * `t('key', { n })`: fills `{places}`, translating names of subjects and the like; `n` picks the plural form and is
 * formatted with en-IN grouping.
 */
export type Translate<En extends Catalogue> = (
  key: keyof En & string,
  values?: Record<string, string | number>,
) => string

export interface Words<En extends Catalogue> {
  /** For components; waits (Suspense) for the first download. */
  use: () => Translate<En>
  /** For other code, after the words are downloaded (`await words.load()`). */
  load: (language?: Language) => Promise<Translate<En>>
}

function translator<En extends Catalogue>(catalogue: Catalogue, language: Language): Translate<En> {
  let plurals: Intl.PluralRules | undefined
  return (key, values = {}) => {
    let sentence = catalogue[key] ?? key
    if (typeof sentence === 'object') {
      // Created when first needed: a page has a dozen catalogues.
      plurals ??= new Intl.PluralRules(language)
      sentence = sentence[plurals.select(Number(values.n))] ?? sentence.other
    }
    return sentence.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name]
      return typeof value === 'number' ? formatNumber(value) : translateSentence(value ?? place)
    })
  }
}

function createWords<En extends Catalogue>(sources: Sources): Words<En> {
  const catalogues = downloads(async (language: Language) =>
    translator<En>(await loadCatalogue(sources, language), language),
  )
  const load = (language = currentLanguage()) => catalogues.load(language)
  onLanguageLoad(load)
  void load()
  return { load, use: () => catalogues.take(useLanguage()) }
}

const defined: Record<string, unknown> = {}

/**
 * Registers a catalogue; its download starts at once, in parallel with its chunk. A page and its dialog may both define
 * the same one: it is downloaded once.
 */
export function defineWords<En extends Catalogue>(sources: Sources): Words<En> {
  const name = Object.keys(sources).join()
  defined[name] ??= createWords<En>(sources)
  return defined[name] as Words<En>
}
