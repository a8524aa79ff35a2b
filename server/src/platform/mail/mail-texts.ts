import type { Db, Tx } from '../db/database.ts'
import { mailSender } from '../foundation.ts'
import { type Language, type RenderedMail, renderMail, type Sender } from './mail-templates.ts'

/** A mail's subject and paragraphs, with placeholders in braces; greeting and closing are added. */
export interface MailText {
  subject: string
  body: string
}

interface Kind {
  /** The allowed placeholders, with sample values for a preview */
  placeholders: Readonly<Record<string, string>>
  /** The placeholders without which the mail would be useless */
  needed: readonly string[]
  en: MailText
  hi: MailText
}

const school = 'Kalpanik Public School'
const signIn = 'https://podium.example/login'

const nextLevel = {
  school,
  subject: 'Mathematics',
  season: '2026-27',
  level: '2',
  count: '2',
  children: '    Class 6 A, KPS0102-06-004\n    Class 7 B, KPS0102-07-011',
  day: '10-Feb-2027',
  note: 'The exam is held in Bengaluru on 07-Mar-2027.',
  link: 'https://podium.example/result/nextlevel',
}

/** The mails whose texts the office can edit, with the built-in texts. */
export const mailTexts = {
  'application-received': {
    placeholders: { school },
    needed: [],
    en: {
      subject: 'We have received the details of your school',
      body: 'Thank you. We have received the details of {school}.\n\nWe check them and write to you as soon as your school is ready. There is nothing more for you to do.',
    },
    hi: {
      subject: 'आपके विद्यालय का विवरण हमें मिल गया है',
      body: 'धन्यवाद। {school} का विवरण हमें मिल गया है।\n\nहम उसकी जाँच करते हैं और विद्यालय तैयार होते ही आपको लिखते हैं। आपको और कुछ नहीं करना है।',
    },
  },
  'application-approved': {
    placeholders: { school, code: 'KPS0102', link: signIn },
    needed: ['link'],
    en: {
      subject: '{school} is ready',
      body: 'Welcome. {school} is registered. Its school code is {code}.\n\nSign in and enter your students: {link}',
    },
    hi: {
      subject: '{school} तैयार है',
      body: 'स्वागत है। {school} पंजीकृत है। उसका विद्यालय कोड {code} है।\n\nसाइन इन करें और अपने विद्यार्थी दर्ज करें: {link}',
    },
  },
  'application-asked': {
    placeholders: {
      school,
      question: 'Please send us the UDISE code.',
      link: 'https://podium.example/school-detail',
    },
    needed: ['question', 'link'],
    en: {
      subject: '{school}: something is missing',
      body: 'Before {school} can be registered we need something from you:\n\n    {question}\n\nAnswer or correct the details here: {link}',
    },
    hi: {
      subject: '{school}: कुछ जानकारी चाहिए',
      body: '{school} को पंजीकृत करने से पहले हमें आपसे कुछ चाहिए:\n\n    {question}\n\nउत्तर दें या विवरण यहाँ ठीक करें: {link}',
    },
  },
  'application-rejected': {
    placeholders: { school, reason: 'The UDISE code belongs to another school.', link: signIn },
    needed: ['reason', 'link'],
    en: {
      subject: 'Please check the details of your school',
      body: 'We could not register {school} yet. The reason:\n\n    {reason}\n\nSign in, correct the details and send them again: {link}',
    },
    hi: {
      subject: 'कृपया अपने विद्यालय का विवरण जाँचें',
      body: 'हम {school} को अभी पंजीकृत नहीं कर सके। कारण:\n\n    {reason}\n\nसाइन इन करें, विवरण ठीक करें और फिर भेजें: {link}',
    },
  },
  'reminder-enrol': {
    placeholders: { school, season: '2026-27', day: '15-Dec-2026', amount: '₹0', link: signIn },
    needed: ['link'],
    en: {
      subject: '{school}: enter your students by {day}',
      body: '{school} has no students entered for the olympiads {season} yet. Entries close on {day}.\n\nEnter them one by one or from a spreadsheet: {link}\n\nIf you need help, please call us.',
    },
    hi: {
      subject: '{school}: {day} तक विद्यार्थी दर्ज करें',
      body: '{school} ने ओलंपियाड {season} के लिए अभी कोई विद्यार्थी दर्ज नहीं किया है। प्रविष्टि {day} को बंद होती है।\n\nएक-एक करके या स्प्रेडशीट से दर्ज करें: {link}\n\nसहायता चाहिए तो हमें फ़ोन करें।',
    },
  },
  'reminder-pay': {
    placeholders: { school, season: '2026-27', day: '15-Dec-2026', amount: '₹1,24,500', link: signIn },
    needed: ['link'],
    en: {
      subject: '{school}: {amount} due by {day}',
      body: '{school} has {amount} left to pay for the olympiads {season}. The last day is {day}.\n\nPay and send the details here: {link}\n\nIf you have paid and sent them just now, you can ignore this e-mail.',
    },
    hi: {
      subject: '{school}: {day} तक {amount} देय',
      body: 'ओलंपियाड {season} के लिए {school} के {amount} अभी बाकी हैं। अंतिम दिन {day} है।\n\nभुगतान करके विवरण यहाँ भेजें: {link}\n\nयदि आपने अभी भुगतान करके भेज दिया है, तो इस ई-मेल पर ध्यान न दें।',
    },
  },
  'reminder-dates': {
    placeholders: { school, season: '2026-27', day: '15-Dec-2026', amount: '₹0', link: signIn },
    needed: ['link'],
    en: {
      subject: '{school}: choose your exam dates by {day}',
      body: 'All students of {school} are paid for. Please choose the exam dates of your olympiads {season}; the first choice ends on {day}.\n\nChoose here: {link}',
    },
    hi: {
      subject: '{school}: {day} तक परीक्षा तिथियाँ चुनें',
      body: '{school} के सभी विद्यार्थियों का भुगतान हो चुका है। कृपया ओलंपियाड {season} की परीक्षा तिथियाँ चुनें; पहला चुनाव {day} को समाप्त होता है।\n\nयहाँ चुनें: {link}',
    },
  },
  'next-level-invitation': {
    placeholders: nextLevel,
    needed: ['children', 'day', 'link'],
    en: {
      subject: '{count} of your students invited to level {level} in {subject}',
      body: 'Congratulations to {school}. Qualified for level {level} of the {subject} olympiad {season}, and invited:\n\n{children}\n\nPlease confirm or decline each of them by {day}: {link}\n\n{note}',
    },
    hi: {
      subject: '{subject} के स्तर {level} के लिए आपके {count} विद्यार्थी आमंत्रित',
      body: 'बधाई। {school} के {count} विद्यार्थी {subject} ओलंपियाड {season} के स्तर {level} के लिए योग्य पाए गए हैं और आमंत्रित हैं:\n\n{children}\n\nकृपया हर विद्यार्थी के लिए {day} तक हाँ या ना बताएँ: {link}\n\n{note}',
    },
  },
  'next-level-withdrawn': {
    placeholders: nextLevel,
    needed: ['children'],
    en: {
      subject: 'Invitation to level {level} in {subject} taken back',
      body: 'We are sorry: the invitation to level {level} of the {subject} olympiad {season} no longer holds at {school} for:\n\n{children}\n\nYour results and invitations are here: {link}\n\nIf you have a question, please call us.',
    },
    hi: {
      subject: '{subject} के स्तर {level} का आमंत्रण वापस लिया गया',
      body: 'हमें खेद है: {school} के {count} विद्यार्थियों के लिए {subject} ओलंपियाड {season} के स्तर {level} का आमंत्रण अब मान्य नहीं है:\n\n{children}\n\nआपके परिणाम और आमंत्रण यहाँ हैं: {link}\n\nकोई प्रश्न हो तो हमें फ़ोन करें।',
    },
  },
  'next-level-reminder': {
    placeholders: nextLevel,
    needed: ['day', 'link'],
    en: {
      subject: '{school}: please answer for level {level} in {subject} by {day}',
      body: 'We have no answer yet from {school} about these invitations to level {level} of the {subject} olympiad {season}:\n\n{children}\n\nPlease confirm or decline each of them by {day}: {link}',
    },
    hi: {
      subject: '{school}: {subject} के स्तर {level} के लिए {day} तक उत्तर दें',
      body: '{school} के {count} विद्यार्थी {subject} ओलंपियाड {season} के स्तर {level} के लिए आमंत्रित हैं, पर उनका उत्तर अभी नहीं आया है:\n\n{children}\n\nकृपया हर विद्यार्थी के लिए {day} तक हाँ या ना बताएँ: {link}',
    },
  },
} as const satisfies Record<string, Kind>

export type MailTextKind = keyof typeof mailTexts

/** Returns the kind with this name; undefined if the office can't edit such a mail. */
export function mailTextKind(name: string): MailTextKind | undefined {
  return Object.hasOwn(mailTexts, name) ? (name as MailTextKind) : undefined
}

export const mailTextDefinition = (kind: MailTextKind): Kind => mailTexts[kind]

const placeholder = /\{([^{}]*)\}/g

/** Returns the names of a text's placeholders. */
export const findPlaceholders = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, name]) => name ?? '')

const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )

/** Renders a mail from its text and values. */
export function renderMailText(
  sender: Sender,
  language: Language,
  name: string,
  text: MailText,
  values: Readonly<Record<string, string>>,
): RenderedMail {
  const paragraphs = text.body
    .split(/\n[ \t]*\n/)
    .map((paragraph) => fill(paragraph, values).replace(/^\n+|\n+$/g, ''))
  return renderMail(sender, language, fill(text.subject, values), name, ...paragraphs)
}

/** Returns a mail's text: the office's if it has edited it, or else the built-in one. */
export async function mailTextOf(db: Db | Tx, kind: MailTextKind, language: Language): Promise<MailText> {
  const edited = await db
    .selectFrom('mail_texts')
    .select(['subject', 'body'])
    .where('kind', '=', kind)
    .where('language', '=', language)
    .executeTakeFirst()
  return edited ?? mailTextDefinition(kind)[language]
}

/** Renders a mail in the recipient's language from its text and values: spread it into `enqueueMail`. */
export async function textMail(
  tx: Tx,
  kind: MailTextKind,
  to: { name: string; language: string },
  values: Readonly<Record<string, string>>,
): Promise<RenderedMail> {
  const language = to.language === 'hi' ? 'hi' : 'en'
  const text = await mailTextOf(tx, kind, language)
  return renderMailText(await mailSender(tx), language, to.name, text, values)
}
