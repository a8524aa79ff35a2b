import { className, isLittleStarClass } from '@podium/contract/classes'
import type { ShownRank } from '@podium/contract/results/calls-public'
import { formatDay, istDay } from '@podium/contract/season'
import type { Metal } from './documents-art.ts'

/** The sentences of a certificate in one language. `who` and `what` are filled in by hand: word order differs. */
export interface CertificateWords {
  merit: string
  participation: string
  littleStar: string
  /** A file of many */
  several: string
  certify: string
  /** Under the name: class, school, city. */
  pupil(classId: number, school: string, city: string): string
  tookPart(subject: string, season: string, level: number): string
  reached: string
  /** Under the laurel of those who took part */
  wellDone: string
  shone(stars: number): string
  metals: Record<Metal, string>
  level(level: number): string
  rankNames: Record<ShownRank['scope'], string>
  /** A rank among so many, `2 of 38`. */
  of(rank: number, pool: number): string
  firstOf(rank: number, pool: number): string
  number: string
  released: string
  version(n: number): string
  check: string
  genuine: string
}

const count = (n: number) => n.toLocaleString('en-IN')
const ordinalWords = ['First', 'Second', 'Third', 'Fourth', 'Fifth']

function ordinal(n: number): string {
  const word = ordinalWords[n - 1]
  if (word) return word
  const tail = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${count(n)}${tail}`
}

const en: CertificateWords = {
  merit: 'Certificate of Merit',
  participation: 'Certificate of Participation',
  littleStar: 'Little Star Certificate',
  several: 'Certificates',
  certify: 'This is to certify that',
  pupil: (classId, school, city) => `of ${className(classId)}, ${school}, ${city}`,
  tookPart: (subject, season, level) =>
    `took part in the ${subject} Olympiad ${season}${level > 1 ? `, level ${level},` : ''}`,
  reached: 'and won',
  wellDone: 'with curiosity, courage and work. Well done!',
  shone: (stars) =>
    `and shone with ${['one star', 'two stars', 'three stars', 'four stars', 'five stars'][stars - 1]}`,
  metals: { Gold: 'Gold medal', Silver: 'Silver medal', Bronze: 'Bronze medal' },
  level: (level) => `Qualified for level ${level}`,
  rankNames: { class: 'Class rank', state: 'State rank', zonal: 'Zonal rank', olympiad: 'Olympiad rank' },
  of: (rank, pool) => `${count(rank)} of ${count(pool)}`,
  firstOf: (rank, pool) => `${ordinal(rank)} of ${count(pool)} in the class`,
  number: 'Certificate No.',
  released: 'Result of',
  version: (n) => `Result version ${n}`,
  check: 'Scan to check',
  genuine: 'Made by computer and valid without a signature. The code tells whether it is genuine.',
}

const hindiClasses: Record<number, string> = { 15: 'नर्सरी', 13: 'एलकेजी', 14: 'यूकेजी' }

const hi: CertificateWords = {
  merit: 'योग्यता प्रमाणपत्र',
  participation: 'सहभागिता प्रमाणपत्र',
  littleStar: 'नन्हा सितारा प्रमाणपत्र',
  several: 'प्रमाणपत्र',
  certify: 'प्रमाणित किया जाता है कि',
  pupil: (classId, school, city) =>
    `${isLittleStarClass(classId) ? hindiClasses[classId] : `कक्षा ${classId}`}, ${school}, ${city}`,
  tookPart: (subject, season, level) =>
    `ने ${subject} ओलंपियाड ${season}${level > 1 ? ` (स्तर ${level})` : ''} में भाग लिया`,
  reached: 'और प्राप्त किया',
  wellDone: 'जिज्ञासा, साहस और परिश्रम के साथ। शाबाश!',
  shone: (stars) => `और ${stars} सितारे पाए`,
  metals: { Gold: 'स्वर्ण पदक', Silver: 'रजत पदक', Bronze: 'कांस्य पदक' },
  level: (level) => `स्तर ${level} के लिए चयनित`,
  rankNames: {
    class: 'कक्षा में स्थान',
    state: 'राज्य में स्थान',
    zonal: 'क्षेत्र में स्थान',
    olympiad: 'ओलंपियाड में स्थान',
  },
  of: (rank, pool) => `${count(pool)} में ${count(rank)}`,
  firstOf: (rank, pool) => `कक्षा के ${count(pool)} में स्थान ${count(rank)}`,
  number: 'प्रमाणपत्र संख्या',
  released: 'परिणाम की तिथि',
  version: (n) => `परिणाम संस्करण ${n}`,
  check: 'जाँचने के लिए स्कैन करें',
  genuine: 'कंप्यूटर से बना, बिना हस्ताक्षर के मान्य। कोड बताता है कि यह असली है या नहीं।',
}

export const certificateWords = { en, hi } as const

/** `15-Jan-2026`, the day of an instant in India. */
export const dayOf = (iso: string) => formatDay(istDay(new Date(iso)))
