import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A sentence, or the forms of one that a language distinguishes by number: `one`, `other`, … */
export type Words = Record<string, string | Record<string, string>>

/** The words of a language by the names of their files: `students` is `students.json`. */
export function readWords(folder: string, language: string): Map<string, Words> {
  const files = globSync('*.json', { cwd: join(folder, language) }).sort()
  return new Map(
    files.map((file) => [
      file.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(folder, language, file), 'utf8')),
    ]),
  )
}

/** The languages that stand in a folder of words. */
export const languagesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => existsSync(join(folder, name, 'language.json')))

const placesIn = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort()

const formsOf = (language: string) => new Intl.PluralRules(language).resolvedOptions().pluralCategories

/** What is wrong with one entry of a language against the English one. */
function faultOf(language: string, english: Words[string] | undefined, own: Words[string] | undefined) {
  if (own === undefined) return 'is missing'
  if (english === undefined) return 'is not in English'
  if (typeof english === 'string') {
    if (typeof own !== 'string') return 'has forms of number, and none in English'
    return placesFault(placesIn(english), placesIn(own))
  }
  if (typeof own === 'string') return 'has no forms of number'
  const wanted = formsOf(language).sort().join(', ')
  const there = Object.keys(own).sort().join(', ')
  if (there !== wanted) return `has the forms ${there}, not ${wanted}`
  // A form for one thing may do without its number.
  const all = placesIn(Object.values(english).join(' '))
  const places = placesIn(Object.values(own).join(' '))
  return placesFault(all, places)
}

function placesFault(wanted: string[], there: string[]): string | undefined {
  const lost = wanted.filter((name) => !there.includes(name))
  const strange = there.filter((name) => !wanted.includes(name))
  if (lost.length > 0) return `lacks {${lost.join('}, {')}}`
  return strange.length > 0 ? `has {${strange.join('}, {')}}, which English has not` : undefined
}

/** What is wrong with the words of a language, a line each: keys, places and forms of number must be those of English. */
export function faultsIn(english: Map<string, Words>, own: Map<string, Words>, language: string): string[] {
  const names = [...new Set([...english.keys(), ...own.keys()])].sort()
  return names.flatMap((name) => {
    const ofEnglish = english.get(name) ?? {}
    const ofOwn = own.get(name) ?? {}
    const keys = [...new Set([...Object.keys(ofEnglish), ...Object.keys(ofOwn)])]
    return keys.flatMap((key) => {
      const fault = faultOf(language, ofEnglish[key], ofOwn[key])
      return fault ? [`${language}/${name}.json: ${key} ${fault}`] : []
    })
  })
}
