import { classes, isLittleStarClass } from '@podium/contract/classes'
import { demoFamilyLink } from '../src/features/accounts/demo/rules.ts'
import type { SchoolSeed } from './data/schools.ts'
import { type Random, randomOf } from './random.ts'

/** A student of a school: the same person in every season, a class higher each year. */
export interface Child {
  key: string
  name: string
  parentName: string
  parentEmail: string
  parentMobile: string
  section: string
  /** Index of this season's class in the order Nursery … Class 12 */
  place: number
  /** Ability, from 0 to 1 */
  gift: number
}

function nameOf(random: Random, hindiSchool: boolean): { name: string; family: string } {
  const family = random.pick(familyNames)
  if (random.chance(hindiSchool ? 0.5 : 0.015)) return { name: random.pick(hindiNames), family }
  if (random.chance(0.02)) return { name: random.pick(oddNames), family }
  return { name: `${random.pick(random.chance(0.5) ? girls : boys)} ${family}`, family }
}

/** Creates the students of a school, by class, section and chance; siblings share a parent's mobile. */
export function childrenOf(seed: SchoolSeed): Child[] {
  const random = randomOf(`children of ${seed.code}`)
  const [low, high] = seed.classes
  const size = Math.max(...seed.children)
  const sections = size > 200 ? ['A', 'B', 'C'] : size > 60 ? ['A', 'B'] : ['-']
  const hindi = seed.code.startsWith('RUB')
  const children: Child[] = []
  let before: Child | undefined
  for (let number = 1; number <= size; number++) {
    const { name, family } = nameOf(random, hindi)
    const sibling: Child | undefined = before !== undefined && random.chance(0.12) ? before : undefined
    const parentMobile: string = sibling
      ? sibling.parentMobile
      : random.chance(0.06)
        ? ''
        : `9${seed.code.slice(3)}${String(number).padStart(5, '0')}`
    const child: Child = {
      key: `${seed.code} ${number}`,
      name,
      parentName: sibling ? sibling.parentName : `${random.pick(parents)} ${family}`,
      parentEmail:
        parentMobile !== '' && random.chance(0.4) ? `family${number}@${seed.code.toLowerCase()}.example` : '',
      parentMobile,
      section: random.pick(sections),
      place: low + (number % (high - low + 1)),
      gift: Math.min(1, Math.max(0, 0.25 + 0.6 * random.next() + 0.15 * random.next())),
    }
    children.push(child)
    before = child
  }
  if (seed.code === demoFamilyLink.schoolCode) nameTheFamily(children)
  return children
}

/** Names the family whose link the demo page shows: two students, the younger in Class 4. */
function nameTheFamily(children: Child[]): void {
  const [elder, younger] = children
  if (!elder || !younger) return
  const family = {
    parentName: 'Hemant Namunawala',
    parentEmail: 'hemant@family.example',
    parentMobile: demoFamilyLink.mobile,
  }
  Object.assign(elder, family, { name: 'Ishita Namunawala', place: 9, section: 'A', gift: 0.97 })
  Object.assign(younger, family, { name: 'Pari Namunawala', place: 6, section: 'B', gift: 0.8 })
}

export function classAt(place: number): number | undefined {
  return classes[place]?.classId
}

const likes: Readonly<Record<string, number>> = {
  M: 0.78,
  S: 0.62,
  E: 0.55,
  G: 0.3,
  T: 0.14,
  H: 0.2,
  R: 0.22,
  V: 0.14,
  F: 0.1,
  K: 0.26,
  A: 0.75,
  B: 0.62,
  C: 0.4,
  J: 0.3,
}

/** Chooses a student's subjects among those offered, by letter: at least one. */
export function subjectsFor(random: Random, letters: readonly string[]): string[] {
  const liked = letters.filter((letter) => random.chance(likes[letter] ?? 0.1))
  const [first] = letters
  return liked.length > 0 || first === undefined ? liked : [first]
}

/** Returns the share of students in a subject who also take this book. */
export function bookShare(classId: number, kind: string): number {
  if (isLittleStarClass(classId)) return kind === 'tb' ? 0.5 : 0.3
  return kind === 'cb' ? 0.34 : kind === 'pyqp' ? 0.2 : 0.08
}

/** Invented people. The family names show it: Namunawala, Udaharan, Kalpanik and Misaal are words for «example». */
const familyNames = ['Namunawala', 'Udaharan', 'Kalpanik', 'Misaal', "D'Misaal", 'Namuna', 'Udaharanam']

const girls = [
  ...['Aadhya', 'Aditi', 'Ananya', 'Anvi', 'Bhavna', 'Charvi', 'Devika', 'Diya', 'Eesha', 'Fatima', 'Gauri'],
  ...['Gurleen', 'Harini', 'Inaya', 'Ira', 'Ishita', 'Jasleen', 'Kavya', 'Keerthana', 'Lavanya', 'Mahika'],
  ...[
    'Meher',
    'Mishti',
    'Myra',
    'Naina',
    'Navya',
    'Nitya',
    'Oviya',
    'Pari',
    'Prisha',
    'Rhea',
    'Riddhi',
    'Saanvi',
  ],
  ...[
    'Sahana',
    'Samaira',
    'Shreya',
    'Siya',
    'Tanvi',
    'Trisha',
    'Urvi',
    'Vanya',
    'Vidya',
    'Yashvi',
    'Zara',
    'Zoya',
  ],
]

const boys = [
  ...[
    'Aarav',
    'Abhinav',
    'Advait',
    'Akshay',
    'Arjun',
    'Armaan',
    'Ayaan',
    'Bhargav',
    'Chaitanya',
    'Daksh',
    'Devansh',
  ],
  ...[
    'Dhruv',
    'Eshan',
    'Farhan',
    'Gautam',
    'Harsh',
    'Hemant',
    'Ibrahim',
    'Ishaan',
    'Jai',
    'Joel',
    'Kabir',
    'Karthik',
  ],
  ...[
    'Krish',
    'Laksh',
    'Madhav',
    'Manan',
    'Mihir',
    'Neel',
    'Nikhil',
    'Om',
    'Parth',
    'Pranav',
    'Rehaan',
    'Ritvik',
  ],
  ...['Rohan', 'Samar', 'Shaurya', 'Siddharth', 'Tejas', 'Uday', 'Varun', 'Vihaan', 'Yash', 'Yuvan', 'Zayd'],
]

const parents = [
  ...[
    'Anil',
    'Asha',
    'Bharat',
    'Chitra',
    'Deepa',
    'Dinesh',
    'Farida',
    'Ganesh',
    'Geeta',
    'Imran',
    'Jaya',
    'Kiran',
  ],
  ...[
    'Lakshmi',
    'Mahesh',
    'Manju',
    'Mary',
    'Naveen',
    'Nirmala',
    'Prakash',
    'Radha',
    'Rajesh',
    'Rekha',
    'Salma',
  ],
  ...['Sanjay', 'Shanti', 'Suresh', 'Thomas', 'Usha', 'Vijay', 'Yasmin'],
]

/** Names as parents write them in Hindi, and others that forms must handle: long, short, with apostrophes and dots. */
const hindiNames = [
  ...[
    'आराध्या नमूनावाला',
    'अद्वैत काल्पनिक',
    'ईशान उदाहरण',
    'काव्या मिसाल',
    'कृष्णा नमूना',
    'तनिष्का उदाहरण',
    'प्रणव काल्पनिक',
  ],
  ...['ऋद्धि मिसाल', 'शौर्य नमूनावाला', 'सिद्धि उदाहरण', 'श्रेया काल्पनिक', 'विहान मिसाल'],
]

const oddNames = [
  'Thirunavukkarasu Misaal',
  "Siobhán O'Namuna",
  'Venkata Satyanarayana Lakshmi Narasimha Subrahmanya Udaharanam',
  'Md. Ayaan Kalpanik',
  'J. Om',
  "Shaun D'Udaharan",
  'Maria-Teresa Namunawala',
  'Al-Hussain Misaal',
]
