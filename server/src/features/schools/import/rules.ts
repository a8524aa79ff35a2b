import { india } from '@podium/contract/catalogue/calls-places'
import { editDistance } from '@podium/contract/fuzzy-match'
import { foldName } from '@podium/contract/names'
import {
  type ImportField,
  importFields,
  type NewSchool,
  readNewSchool,
} from '@podium/contract/schools/calls-import'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { type DistinctiveName, distinctiveName, nameSimilarity } from '../rules.ts'

/** Common column headings in English and Hindi; more specific fields, and more specific patterns of a field, come first. */
const names: Readonly<Record<ImportField, readonly RegExp[]>> = {
  schCode: [/^(school|sch|institution)? ?(code|कोड)$|विद्यालय कोड/],
  udiseCode: [/u ?dise|^dise|यू ?डाइस/],
  affiliationNo: [/affiliation|संबद्धता/],
  whatsAppNo: [/whats ?app|व्हाट्स/],
  schEmail: [/e ?mail|^mail|ई ?मेल/],
  schWebSite: [/web|वेब/],
  schFaxNo: [/fax|फ़ैक्स|फैक्स/],
  landLineNo: [/land ?line|std|लैंडलाइन/],
  mobile: [/phone|mobile|contact (no|number)|^(mob|tel|ph|cell)( (no|number))?$|फ़ोन|फोन|मोबाइल/],
  pinCode: [/\bpin|postal|zip|पिन/],
  district: [/district|\bdist\b|\bdistt\b|ज़िला|जिला/],
  state: [/^state|राज्य/],
  country: [/country|देश/],
  // District lists name a block where a school has no town.
  city: [
    /\bcity|town|place|शहर|नगर/,
    /village|गाँव|गांव|ग्राम/,
    /\bblock|talu[kq]|tehsil|mandal|तहसील|ब्लॉक|प्रखंड/,
  ],
  schAddress: [/address|पता/, /street|\broad\b|locality|सड़क|मार्ग/],
  schGroupId: [/group|trust|समूह/],
  schName: [
    /^(name of )?(the )?(school|institution)( name)?$|^(विद्यालय|स्कूल)( का नाम)?$/,
    /^(school|institution) ?name|^name( of (the )?(school|institution)|$)/,
    /(school|institution)(?! (type|category|management))|विद्यालय|स्कूल|नाम/,
  ],
}

const fold = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Guesses the field of each heading, each field at most once; '' if unknown. */
export function guessFields(headings: readonly string[]): ('' | ImportField)[] {
  const folded = headings.map(fold)
  const found: ('' | ImportField)[] = headings.map(() => '')
  for (const field of Object.keys(names) as ImportField[])
    for (const name of names[field]) {
      const index = folded.findIndex((text, index) => found[index] === '' && name.test(text))
      if (index < 0) continue
      found[index] = field
      break
    }
  return found
}

/** The key under which a column mapping is remembered: the headings in order, ignoring case and spacing. */
export const layoutKey = (headings: readonly string[]): string => JSON.stringify(headings.map(fold))

export interface Fault {
  field: string
  message: string
}

export type Details = NewSchool

/** Indian states and all countries, as offered in forms, by folded name. */
export interface Places {
  states: ReadonlyMap<string, string>
  countries: ReadonlyMap<string, string>
}

/** The name with at most two slips; one in a short text, which may be an abbreviation. */
function nearest(typed: string, known: ReadonlyMap<string, string>): string | undefined {
  const text = foldName(typed)
  const limit = text.length > 4 ? 2 : 1
  return [...known].find(([key]) => editDistance(text, key, limit) <= limit)?.[1]
}

/** The place as spelled in the lists, with errors and likely corrections. */
function placeOf(typed: { country: string; state: string }, { states, countries }: Places) {
  const faults: Fault[] = []
  const country = typed.country === '' ? india : (countries.get(foldName(typed.country)) ?? typed.country)
  if (!countries.has(foldName(country))) {
    const name = nearest(country, countries)
    const message = name ? formatSentence('countryMeant', { name }) : sentences.countryUnknown
    faults.push({ field: 'country', message })
  }
  const state = country === india ? (states.get(foldName(typed.state)) ?? typed.state) : typed.state
  if (country === india && state !== '' && !states.has(foldName(state))) {
    const name = nearest(state, states)
    const message = name ? formatSentence('stateMeant', { name }) : sentences.stateUnknown
    faults.push({ field: 'state', message })
  }
  return { country, state, faults }
}

/** Parses a row as a school: its details, and errors by cell. The rules are those of the form. */
export function readRow(
  cells: readonly string[],
  fields: readonly string[],
  places: Places,
): { details: Record<string, string>; form: Details | undefined; faults: Fault[] } {
  const typed = Object.fromEntries(
    importFields.map((field) => [field, (cells[fields.indexOf(field)] ?? '').trim()]),
  ) as Record<ImportField, string>
  const { country, state, faults } = placeOf(typed, places)
  const bare = typed.schWebSite !== '' && !typed.schWebSite.includes('://')
  const schWebSite = bare ? `https://${typed.schWebSite}` : typed.schWebSite
  const details = { ...typed, country, state, schWebSite }
  const read = readNewSchool(details)
  for (const fault of read.faults) if (!faults.some(({ field }) => field === fault.field)) faults.push(fault)
  return { details, form: faults.length === 0 ? read.form : undefined, faults }
}

/** Keys shared by two rows of the same school: code or UDISE code if present, otherwise name and PIN code. */
export function keysOf(form: Details): string[] {
  return [
    form.schCode && `code ${form.schCode}`,
    form.udiseCode && `udise ${form.udiseCode}`,
    `name ${foldName(form.schName)} ${form.pinCode}`,
  ].filter(Boolean)
}

/** An existing school or earlier row that a row may duplicate. */
export type Lookalike = { school: number } | { row: number }

type SchoolPlace = Pick<Details, 'schName' | 'city' | 'state' | 'pinCode'>

/** An index of schools by place, for finding similar names in the same town or PIN code. */
export function lookalikes() {
  type Entry = { match: Lookalike; name: DistinctiveName; pin: string }
  const byPlace = new Map<string, Entry[]>()
  const placesOf = ({ city, state, pinCode }: SchoolPlace) => [
    `pin ${pinCode}`,
    `town ${foldName(city)}, ${foldName(state)}`,
  ]
  return {
    add(match: Lookalike, school: SchoolPlace): void {
      const entry = { match, name: distinctiveName(school.schName, school.city), pin: school.pinCode }
      for (const place of placesOf(school)) {
        const there = byPlace.get(place)
        if (there) there.push(entry)
        else byPlace.set(place, [entry])
      }
    },
    /** The most similar first, at most three. */
    of(school: SchoolPlace): Lookalike[] {
      const name = distinctiveName(school.schName, school.city)
      const found = new Map<Entry, number>()
      for (const place of placesOf(school))
        for (const entry of byPlace.get(place) ?? []) {
          const similarity = nameSimilarity(name, entry.name)
          if (similarity >= 0.6) found.set(entry, similarity + (entry.pin === school.pinCode ? 0.2 : 0))
        }
      return [...found]
        .sort(([, a], [, b]) => b - a)
        .slice(0, 3)
        .map(([{ match }]) => match)
    },
  }
}
