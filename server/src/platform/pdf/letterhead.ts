import type { Logo } from '../files/images.ts'
import type { Language } from '../mail/mail-templates.ts'

/** Who issues a paper: what stands at its head and where help is to be had. Empty texts are left out. */
export interface Letterhead {
  name: string
  /** As it stands where room is short */
  shortName?: string
  /** Lines as on an envelope */
  postalAddress?: string
  website?: string
  phone?: string
  email?: string
  hours?: Readonly<Record<Language, string>>
  /** The built-in mark where there is none */
  logo?: Logo | undefined
  /** `#rrggbb` of mark and lines; the built-in one where it is empty */
  colour?: string
}

/** The postal address in one line; empty where none is set. */
export const addressLine = ({ postalAddress = '' }: Letterhead): string =>
  postalAddress.split('\n').filter(Boolean).join(', ')

/** Phone, e-mail and web address in one line, of what is set. */
export const reachLine = ({ phone = '', email = '', website = '' }: Letterhead, phoneWord = ''): string =>
  [phone === '' ? '' : `${phoneWord} ${phone}`.trim(), email, website.replace(/^https:\/\//, '')]
    .filter(Boolean)
    .join(' · ')

/** Where help is to be had, as the foot of English papers says it; empty where no phone is set. */
export const helpLine = ({ phone, hours }: Letterhead): string =>
  phone ? `Help: ${phone}${hours ? `, ${hours.en}` : ''}` : ''
