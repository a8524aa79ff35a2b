import type { WrittenLanguage } from '../languages.ts'

/** Names of the kinds of e-mail: for the list, its export and its search. The outbox accepts no other kinds. */
const wordsByLanguage = {
  en: {
    otp: 'One-time password',
    password: 'Password',
    account: 'Account',
    staff: 'Office account',
    owners: 'Notice to owners',
    application: 'School application',
    reminder: 'Reminder',
    mailing: 'E-mail to schools',
    reset: 'Password reset',
    connected: 'Sign-in connected',
    joined: 'School joined',
    invitation: 'User invitation',
    family: 'Family link',
    waiver: 'Fee waiver',
    'payment-received': 'Payment details received',
    'payment-verified': 'Payment verified',
    'payment-rejected': 'Payment rejected',
    'payment-reversed': 'Payment returned by the bank',
    'account-change': 'Bank account change',
    'packet-dispatched': 'Parcel dispatched',
    'exam-schedule': 'Online exam slot',
    'results-released': 'Results released',
    incident: 'Data incident',
    'next-level': 'Level 2 invitation',
  },
  hi: {
    otp: 'वन-टाइम पासवर्ड',
    password: 'पासवर्ड',
    account: 'खाता',
    staff: 'कार्यालय का खाता',
    owners: 'स्वामियों को सूचना',
    application: 'विद्यालय का आवेदन',
    reminder: 'याद',
    mailing: 'विद्यालयों को ई-मेल',
    reset: 'पासवर्ड फिर से रखना',
    connected: 'साइन-इन जोड़ा गया',
    joined: 'विद्यालय से जुड़ना',
    invitation: 'साथी को निमंत्रण',
    family: 'परिवार का लिंक',
    waiver: 'शुल्क की छूट',
    'payment-received': 'भुगतान का विवरण मिला',
    'payment-verified': 'भुगतान सत्यापित',
    'payment-rejected': 'भुगतान अस्वीकृत',
    'payment-reversed': 'बैंक ने भुगतान लौटाया',
    'account-change': 'बैंक खाते में बदलाव',
    'packet-dispatched': 'पार्सल रवाना',
    'exam-schedule': 'परीक्षा का समय',
    'results-released': 'परिणाम जारी',
    incident: 'डेटा घटनाएँ',
    'next-level': 'अगला स्तर',
  },
} as const

export type MailKind = keyof typeof wordsByLanguage.en
const mailKinds = Object.keys(wordsByLanguage.en) as MailKind[]
export const mailWords: Record<WrittenLanguage, Readonly<Record<MailKind, string>>> = wordsByLanguage

/** Returns the name of a kind of e-mail; the kind itself if it has none, because it is no longer sent. */
export function mailName(kind: string, language: WrittenLanguage = 'en'): string {
  return Object.hasOwn(mailWords.en, kind) ? mailWords[language][kind as MailKind] : kind
}

/** Returns the kinds of e-mail whose name contains the text, in either language. */
export function findMailKinds(search: string): MailKind[] {
  const part = search.toLowerCase()
  return mailKinds.filter((kind) =>
    [mailWords.en, mailWords.hi].some((words) => words[kind].toLowerCase().includes(part)),
  )
}
