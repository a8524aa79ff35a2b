import { className } from '@podium/contract/classes'
import { joiningMobile } from '@podium/contract/fields'
import { keysAlike, nameKey } from '@podium/contract/fuzzy-match'

/** A child as far as it is compared with another. */
export interface Child {
  classId: number
  section: string
  rollNo: number
  studentName: string
  parentName: string
  parentEmailId: string
  parentMobileNo: string
}

export interface Fact {
  field: string
  here: string
  there: string
  same: boolean
}

/** How a name sounds, whatever its words' order: accents, double letters and the usual spellings of one sound. */
function soundKey(name: string): string {
  return nameKey(name)
    .split(' ')
    .map((word) =>
      word
        .replace(/ph/g, 'f')
        .replace(/ee|y/g, 'i')
        .replace(/oo/g, 'u')
        .replace(/w/g, 'v')
        .replace(/z/g, 'j')
        .replace(/(.)\1+/g, '$1')
        .replace(/(?<=[bcdgjkpst])h/g, '')
        .replace(/(?<=..)a$/, ''),
    )
    .sort()
    .join(' ')
}

const figures = (text: string) => text.replace(/\D+/g, ' ').trim()

/** Whether two names may be one: the same but for a slip of the pen, and the same figures in them. */
export function namesMayBeOne(a: string, b: string): boolean {
  if (figures(a) !== figures(b)) return false
  return soundKey(a) === soundKey(b) || keysAlike(nameKey(a), nameKey(b))
}

/** Field by field, where both say something. */
export function factsOf(here: Child, there: Child): Fact[] {
  const facts: Fact[] = [
    fact(
      'studentName',
      here.studentName,
      there.studentName,
      nameKey(here.studentName) === nameKey(there.studentName),
    ),
    fact('classId', className(here.classId), className(there.classId)),
    fact('section', here.section, there.section),
    fact('rollno', String(here.rollNo), String(there.rollNo)),
    fact(
      'parentName',
      here.parentName,
      there.parentName,
      nameKey(here.parentName) === nameKey(there.parentName),
    ),
    fact('parentMobileNo', here.parentMobileNo, there.parentMobileNo),
    fact('parentEmailId', here.parentEmailId, there.parentEmailId),
  ]
  return facts.filter((one) => one.here !== '' && one.there !== '')
}

function fact(field: string, here: string, there: string, same = here === there): Fact {
  return { field, here, there, same }
}

/** Whether a row may be this child: alike in name, and of one class, section and roll no or with one mobile or e-mail. */
function mayBeSame(here: Child, there: Child): boolean {
  if (!namesMayBeOne(here.studentName, there.studentName)) return false
  const same = (field: 'classId' | 'section' | 'rollNo') => here[field] === there[field]
  if (same('classId') && same('section') && same('rollNo')) return true
  return contactsOf(here).some((contact) => contactsOf(there).includes(contact))
}

/** Of two rows of one file: each has a section, roll no and mobile of its own. */
export const clearlyOther = (here: Child, there: Child): boolean =>
  here.section !== there.section &&
  here.rollNo !== there.rollNo &&
  here.parentMobileNo !== there.parentMobileNo

/** Finds who may be the same child without comparing everybody with everybody. */
export class ChildIndex<Entry extends Child> {
  #byContact = new Map<string, Entry[]>()

  add(entry: Entry): void {
    for (const contact of contactsOf(entry)) push(this.#byContact, contact, entry)
  }

  /** Likeliest first: those with the most facts in common. */
  find(child: Child): Entry[] {
    const near = new Set<Entry>()
    for (const contact of contactsOf(child))
      for (const entry of this.#byContact.get(contact) ?? []) near.add(entry)
    const count = (entry: Entry) => factsOf(child, entry).filter(({ same }) => same).length
    return [...near].filter((entry) => mayBeSame(child, entry)).sort((a, b) => count(b) - count(a))
  }
}

/** A contact that half the school has says nothing, and would compare all with all. */
const mostInBlock = 60

function push<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const block = map.get(key)
  if (!block) map.set(key, [entry])
  else if (block.length < mostInBlock) block.push(entry)
}

function contactsOf({ parentMobileNo, parentEmailId }: Child): string[] {
  const mobile = joiningMobile(parentMobileNo)
  return [mobile, parentEmailId].filter((contact) => contact !== '')
}
