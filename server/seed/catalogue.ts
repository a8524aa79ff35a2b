import { addDays, type Season, seasonYear } from '@podium/contract/season'
import { defaultRules } from '#features/catalogue/rules'
import type { Tx } from '../src/platform/db/database.ts'

type SubjectSeed = ReturnType<typeof aSubject>

/**
 * A subject as offered in every season of the demo world.
 *
 * `day`: its first date, as days after the season's first exam; the second is two weeks later.
 * `books`: rupees of its Comprehensive Book, Previous Test Paper and Olympiad Excellence Guide, or Text Book and Work Book
 * for little stars; null for one that does not exist.
 * `maxima`: the most marks of each section.
 */
const aSubject = (
  letter: string,
  name: string,
  day: number,
  books: readonly (number | null)[],
  maxima: Readonly<Record<string, number>>,
  mode: 'Online' | 'Offline' = 'Offline',
) => ({
  ...{ letter, name, day, books, mode },
  sections: Object.entries(maxima).map(([section, maximum]) => ({ name: section, maximum })),
})

const usual = [220, 160, 310]

/** Ten subjects for Class 1 to 12. The first section is the first tie-break. */
export const subjects: readonly SubjectSeed[] = [
  aSubject('M', 'Mathematics', 0, usual, {
    'Achievers section': 10,
    'Mathematical reasoning': 25,
    'Logical reasoning': 15,
    'Everyday mathematics': 10,
  }),
  aSubject('S', 'Science', 2, usual, { 'Achievers section': 10, Science: 35, 'Logical reasoning': 15 }),
  aSubject('E', 'English', 5, [200, 150, null], {
    'Achievers section': 10,
    'Word and structure knowledge': 30,
    Reading: 20,
  }),
  aSubject('G', 'General Knowledge', 7, [180, 140, null], {
    'Current affairs': 20,
    'The world around us': 40,
  }),
  aSubject('T', 'Social Studies', 8, [190, 150, 280], {
    'Achievers section': 10,
    'History and civics': 25,
    Geography: 25,
  }),
  aSubject('H', 'Hindi', 9, [180, 140, null], { 'Achievers section': 10, Vyakaran: 30, Gadyansh: 20 }),
  aSubject('R', 'Reasoning', 12, [200, 150, null], { 'Achievers section': 10, Verbal: 25, 'Non-verbal': 25 }),
  aSubject('V', 'Environment', 13, [170, 130, null], { 'Achievers section': 10, Nature: 50 }),
  aSubject('F', 'Financial Literacy', 14, [210, 150, null], {
    'Achievers section': 10,
    'Money and markets': 50,
  }),
  aSubject(
    'K',
    'Computer Science',
    4,
    [220, 150, 300],
    { 'Achievers section': 10, Computers: 35, 'Logical reasoning': 15 },
    'Online',
  ),
]

/** Their names in Hindi. */
const hindi: Readonly<Record<string, string>> = {
  Mathematics: 'गणित',
  Science: 'विज्ञान',
  English: 'अंग्रेज़ी',
  'General Knowledge': 'सामान्य ज्ञान',
  'Social Studies': 'सामाजिक अध्ययन',
  Hindi: 'हिंदी',
  Reasoning: 'तर्कशक्ति',
  Environment: 'पर्यावरण',
  'Financial Literacy': 'वित्तीय साक्षरता',
  'Computer Science': 'कंप्यूटर विज्ञान',
  'Little Star: First English': 'नन्हे सितारे: पहली अंग्रेज़ी',
  'Little Star: Early Numbers': 'नन्हे सितारे: पहले अंक',
  'Little Star: My World': 'नन्हे सितारे: मेरी दुनिया',
  'Little Star: Stories': 'नन्हे सितारे: कहानियाँ',
  'Achievers section': 'अचीवर्स खंड',
  'Mathematical reasoning': 'गणितीय तर्कशक्ति',
  'Logical reasoning': 'तार्किक क्षमता',
  'Everyday mathematics': 'रोज़मर्रा का गणित',
  'Word and structure knowledge': 'शब्द और वाक्य रचना',
  Reading: 'पठन',
  'Current affairs': 'समसामयिकी',
  'The world around us': 'हमारे आसपास की दुनिया',
  'History and civics': 'इतिहास और नागरिक शास्त्र',
  Geography: 'भूगोल',
  Vyakaran: 'व्याकरण',
  Gadyansh: 'गद्यांश',
  Verbal: 'शाब्दिक',
  'Non-verbal': 'अशाब्दिक',
  Nature: 'प्रकृति',
  'Money and markets': 'धन और बाज़ार',
  Computers: 'कंप्यूटर',
  'Look and find': 'देखो और ढूँढो',
  Think: 'सोचो',
}

const little = { 'Look and find': 15, Think: 15 }

/** Four little-star subjects for Nursery, LKG and UKG. */
const littleStarSubjects: readonly SubjectSeed[] = [
  aSubject('A', 'Little Star: First English', 12, [150, 120], little),
  aSubject('B', 'Little Star: Early Numbers', 12, [150, 120], little),
  aSubject('C', 'Little Star: My World', 13, [150, 120], little),
  aSubject('J', 'Little Star: Stories', 14, [140, null], little),
]

const upperClasses = Array.from({ length: 12 }, (_, i) => i + 1)
const littleClasses = [15, 13, 14]

function feeRows(eventId: number, subject: SubjectSeed, isLittle: boolean) {
  const paise = (rupees: number | null | undefined) => (rupees == null ? null : rupees * 100)
  const [first, second, third] = subject.books
  return (isLittle ? littleClasses : upperClasses).map((classId) => ({
    event_id: eventId,
    class_id: classId,
    fee: (isLittle ? 150 : 175) * 100,
    retained: (isLittle ? 20 : 25) * 100,
    cb: isLittle ? null : paise(first),
    pyqp: isLittle ? null : paise(second),
    genex: isLittle ? null : paise(third),
    tb: isLittle ? paise(first) : null,
    wb: isLittle ? paise(second) : null,
    book_retained: 2000,
  }))
}

/** The key days (IST) of a season. */
export interface SeasonDays {
  /** Last day for entries and, here, for fees */
  closesOn: string
  firstExamOn: string
  resultsFrom: string
}

/**
 * Returns a season's usual days: enrolment closes on 30 November, exams begin on 3 December, results come from 15
 * January.
 */
export function usualDays(label: Season): SeasonDays {
  const year = seasonYear(label)
  return { closesOn: `${year}-11-30`, firstExamOn: `${year}-12-03`, resultsFrom: `${year + 1}-01-15` }
}

/** Adds a season to the catalogue with all subjects, fees, books and two dates for each event, unless it exists. */
export async function insertSeason(
  tx: Tx,
  label: Season,
  now: Date,
  state: 'preparing' | 'open' | 'closed' = 'open',
  days: SeasonDays = usualDays(label),
): Promise<void> {
  const all = [...subjects, ...littleStarSubjects]
  await tx
    .insertInto('subjects')
    .values(
      all.map((s, position) => ({
        letter: s.letter,
        name: s.name,
        name_hi: hindi[s.name] ?? '',
        little_star: littleStarSubjects.includes(s),
        position,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const season = await tx
    .insertInto('seasons')
    .values({ label, state, fee_due_on: days.closesOn, results_from: days.resultsFrom, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('label')
    .executeTakeFirst()
  if (!season) return
  const events = await tx
    .insertInto('events')
    .values(
      all.map((subject) => ({
        season: label,
        letter: subject.letter,
        level: 1,
        mode: subject.mode,
        closes_on: days.closesOn,
        maximum_marks: subject.sections.reduce((sum, section) => sum + section.maximum, 0),
        sections: JSON.stringify(
          subject.sections.map((part) => ({ ...part, nameHi: hindi[part.name] ?? part.name })),
        ),
        rules: JSON.stringify(defaultRules({ ...subject, level: 1 })),
      })),
    )
    .returning(['id', 'letter'])
    .execute()
  const seedOf = new Map(all.map((subject) => [subject.letter, subject]))
  const fees = []
  const dates = []
  for (const { id, letter } of events) {
    const subject = seedOf.get(letter)
    if (!subject) throw new Error(`no subject has the letter ${letter}`)
    fees.push(...feeRows(id, subject, littleStarSubjects.includes(subject)))
    const first = addDays(days.firstExamOn, subject.day)
    dates.push(
      { event_id: id, ordinal: 1, held_on: first },
      { event_id: id, ordinal: 2, held_on: addDays(first, 14) },
    )
  }
  await tx.insertInto('event_fees').values(fees).execute()
  await tx.insertInto('exam_dates').values(dates).execute()
}
