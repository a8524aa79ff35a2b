import { className } from '../classes.ts'
import { said } from '../sentences.ts'
import type { StudentFields } from './schemas.ts'

export type Place = Pick<StudentFields, 'classId' | 'section' | 'rollno'>

/** `Class 7 A`, `LKG`. */
export const placeText = ({ classId, section }: Pick<Place, 'classId' | 'section'>): string =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

/** Names a roll no once: two rows with the same are the same place. */
export const placeKey = ({ classId, section, rollno }: Place): string => `${classId} ${section} ${rollno}`

/** Two rows of one list have the same roll no; the later one is told. */
export const standsTwice = (place: Place, row: number): string =>
  said('rollTwice', { roll: place.rollno, place: placeText(place), row })

/** Another student has the roll no; said alike by dialog, grid, import and call. */
export const rollTaken = (place: Place, name: string): string =>
  said('rollTaken', { roll: place.rollno, place: placeText(place), name })
