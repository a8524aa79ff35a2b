import { className } from '@podium/contract/classes'
import { formatRupees } from '@podium/contract/money'
import { formatDay } from '@podium/contract/season'
import { hindiClassName } from '@podium/contract/students/rules-class'

/** The sender, from the foundation's settings. */
export interface Sender {
  foundation: string
  /** Used where space is short */
  shortName?: string
  supportPhone: string
  supportEmail?: string
  supportHours: Readonly<Record<Language, string>>
  /** Lines as on an envelope */
  postalAddress?: string
  website?: string
}

/** The reader's language. Office, schools and families can choose. */
export type Language = 'en' | 'hi'

/** Returns the language of an account's mails. */
export const languageOf = (person: { language: string }): Language => (person.language === 'hi' ? 'hi' : 'en')

/** A mail without its recipient: spread it into `enqueueMail`. */
export interface RenderedMail {
  subject: string
  text: string
}

const closing = {
  en: ({ supportPhone: phone, supportEmail: email = '', supportHours: hours }: Sender) =>
    `Need help? Call ${phone} (${hours.en})${email === '' ? '' : ` or write to ${email}`}.\n\nWith kind regards`,
  hi: ({ supportPhone: phone, supportEmail: email = '', supportHours: hours }: Sender) =>
    `सहायता चाहिए? ${phone} पर फ़ोन करें (${hours.hi})${email === '' ? '' : ` या ${email} पर लिखें`}।\n\nसादर`,
}

/** The sender's details at the end of a mail. */
const signature = ({ foundation, postalAddress = '', website = '' }: Sender): string =>
  [foundation, postalAddress, website].filter((line) => line !== '').join('\n')

/** Renders a mail in the standard form: greeting, paragraphs, closing. */
export function renderMail(
  sender: Sender,
  language: Language,
  subject: string,
  name: string,
  ...paragraphs: string[]
): RenderedMail {
  const greeting = language === 'hi' ? (name ? `नमस्ते ${name},` : 'नमस्ते,') : name ? `Dear ${name},` : 'Hello,'
  const text = [
    greeting,
    ...paragraphs.filter((paragraph) => paragraph !== ''),
    `${closing[language](sender)}\n${signature(sender)}`,
  ].join('\n\n')
  return { subject, text: `${text}\n` }
}

/** Renders a mail whose subject and paragraphs are given in both languages, in the reader's language. */
export function renderMailIn(
  sender: Sender,
  language: Language,
  name: string,
  texts: Readonly<Record<Language, readonly [subject: string, ...paragraphs: string[]]>>,
): RenderedMail {
  const [subject, ...paragraphs] = texts[language]
  return renderMail(sender, language, subject, name, ...paragraphs)
}

/**
 * The one-time password of a registration. The code is also in the subject: a phone shows it without opening the mail.
 */
export function oneTimePasswordMail(
  sender: Sender,
  language: Language,
  mail: { code: string; minutes: number },
): RenderedMail {
  return renderMailIn(sender, language, '', {
    hi: [
      `${mail.code} आपका वन-टाइम पासवर्ड है`,
      `आपका वन-टाइम पासवर्ड है:\n\n    ${mail.code}`,
      `यह ${mail.minutes} मिनट तक मान्य है। इसे किसी को न बताएँ। हम इसे फ़ोन पर कभी नहीं पूछते।`,
      'यदि आपने इसे नहीं माँगा था, तो इस ई-मेल पर ध्यान न दें।',
    ],
    en: [
      `${mail.code} is your one-time password`,
      `Your one-time password is:\n\n    ${mail.code}`,
      `It works for ${mail.minutes} minutes. Please don’t share it with anyone. We never ask for it by phone.`,
      'If you did not ask for it, you can ignore this e-mail.',
    ],
  })
}

/** Sent instead of a one-time password if the address has an account: the page itself answers everyone the same. */
export function accountExistsMail(
  sender: Sender,
  language: Language,
  mail: { signIn: string; reset: string },
): RenderedMail {
  return renderMailIn(sender, language, '', {
    hi: [
      'आपका खाता पहले से है',
      'किसी ने, शायद आपने, इस पते से नया खाता बनाना चाहा। इस पते का खाता पहले से है।',
      `साइन इन करें: ${mail.signIn}`,
      `पासवर्ड भूल गए? नया बनाएँ: ${mail.reset}`,
      'यदि वह आप नहीं थे, तो कुछ करने की आवश्यकता नहीं है। कुछ भी बदला नहीं है।',
    ],
    en: [
      'You already have an account',
      'Someone, probably you, tried to create an account with this address. It already has one.',
      `Sign in: ${mail.signIn}`,
      `Forgot the password? Set a new one: ${mail.reset}`,
      'If it was not you, you don’t need to do anything. Nothing has changed.',
    ],
  })
}

/** The link to set a new password. */
export function passwordResetMail(
  sender: Sender,
  language: Language,
  mail: { name: string; link: string; minutes: number },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      'नया पासवर्ड बनाएँ',
      `इस लिंक से आप नया पासवर्ड बना सकते हैं:\n\n${mail.link}`,
      `लिंक ${mail.minutes} मिनट तक और केवल एक बार काम करता है।`,
      'यदि आपने इसे नहीं माँगा था, तो इस ई-मेल पर ध्यान न दें। आपका पासवर्ड वही रहेगा।',
    ],
    en: [
      'Set a new password',
      `With this link you can set a new password:\n\n${mail.link}`,
      `It works once, within ${mail.minutes} minutes.`,
      'If you did not ask for it, you can ignore this e-mail. Your password stays as it is.',
    ],
  })
}

interface PaymentMail {
  name: string
  /** `Registration Fee`, `Book Fee` */
  paymentFor: string
  /** Rupees, as in the calls. */
  amount: number
  season: string
}

const feesInHindi: Readonly<Record<string, string>> = {
  'Registration Fee': 'पंजीकरण शुल्क',
  'Book Fee': 'पुस्तक शुल्क',
  'Library Book Fee': 'पुस्तकालय पुस्तक शुल्क',
}

function paid(language: Language, { paymentFor, season, amount }: PaymentMail): string {
  const fee = language === 'hi' ? (feesInHindi[paymentFor] ?? paymentFor) : paymentFor
  return `${fee} ${season}, ${formatRupees(amount)}`
}

/** The school has sent its payment details. `paymentDate` is a day, `2026-11-21`. */
export function paymentReceivedMail(
  sender: Sender,
  language: Language,
  mail: PaymentMail & { paymentDate: string },
): RenderedMail {
  const what = paid(language, mail)
  const day = formatDay(mail.paymentDate)
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `भुगतान का विवरण मिला: ${what}`,
      `धन्यवाद। ${day} के आपके भुगतान का विवरण मिल गया है: ${what}।`,
      'हम इसे अपने बैंक खाते से मिलाते हैं, जिसमें 1 से 2 घंटे लगते हैं, और फिर आपको रसीद भेजते हैं।',
    ],
    en: [
      `Payment details received: ${what}`,
      `Thank you. We have received the details of your payment of ${day}: ${what}.`,
      'We compare them with our bank account, which takes 1 to 2 hours, and then send you the receipt.',
    ],
  })
}

/** The payment is verified; the receipt is attached by the caller. */
export function paymentVerifiedMail(
  sender: Sender,
  language: Language,
  mail: PaymentMail & { receiptNo: string },
): RenderedMail {
  const what = paid(language, mail)
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `रसीद ${mail.receiptNo}: ${formatRupees(mail.amount)}`,
      `आपका भुगतान मिल गया है: ${what}। धन्यवाद।`,
      `रसीद ${mail.receiptNo} साथ में है। यह “भुगतान प्रबंधन” में भी मिलेगी।`,
    ],
    en: [
      `Receipt ${mail.receiptNo}: ${formatRupees(mail.amount)}`,
      `Your payment has arrived: ${what}. Thank you.`,
      `The receipt ${mail.receiptNo} is attached. You can also find it under Manage Payments.`,
    ],
  })
}

export function paymentRejectedMail(
  sender: Sender,
  language: Language,
  mail: PaymentMail & { reason: string; paymentsPage: string },
): RenderedMail {
  const what = paid(language, mail)
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `कृपया अपना भुगतान जाँचें: ${what}`,
      `इस भुगतान की पुष्टि नहीं हो सकी: ${what}। कारण:\n\n    ${mail.reason}`,
      `यह राशि फिर से देय है। यदि आप भुगतान कर चुके हैं, तो कृपया स्पष्ट प्रमाण के साथ विवरण फिर भेजें: ${mail.paymentsPage}`,
    ],
    en: [
      `Please check your payment: ${what}`,
      `We could not confirm this payment: ${what}. The reason:\n\n    ${mail.reason}`,
      `The amount is due again. If you have paid, please send the details once more, with a clear proof: ${mail.paymentsPage}`,
    ],
  })
}

/** To a school, when the bank has returned the money of a payment that was verified. */
export function paymentReversedMail(
  sender: Sender,
  language: Language,
  mail: PaymentMail & {
    /** Empty if there is no more to say */
    reason: string
    returnedOn: string
    receiptNo: string
    paymentsPage: string
  },
): RenderedMail {
  const what = paid(language, mail)
  const day = formatDay(mail.returnedOn)
  const { reason, receiptNo, paymentsPage } = mail
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `बैंक ने आपका भुगतान लौटा दिया: ${what}`,
      `बैंक ने ${day} को इस भुगतान की राशि भेजने वाले को लौटा दी: ${what}। रसीद ${receiptNo} रद्द है, वह अब भुगतान का प्रमाण नहीं है।`,
      reason && `कारण:\n\n    ${reason}`,
      `यह राशि फिर से देय है। कृपया अपने बैंक से पूछें कि राशि क्यों लौटी, फिर से भुगतान करें और उसका विवरण भेजें: ${paymentsPage}`,
    ],
    en: [
      `The bank returned your payment: ${what}`,
      `On ${day} the bank returned the money of this payment to its sender: ${what}. Receipt ${receiptNo} is cancelled and no longer proves the payment.`,
      reason && `The reason:\n\n    ${reason}`,
      `The amount is due again. Please ask your bank why the money came back, pay once more and send the details: ${paymentsPage}`,
    ],
  })
}

/** To a school, when its results in a season's subject (or in all of them) are released. */
export function resultsReleasedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; what: string; season: string; resultsPage: string },
): RenderedMail {
  const what = `${mail.what} ${mail.season}`
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `परिणाम आ गए: ${what}`,
      `${what} के परिणाम आ गए हैं। भाग लेने वाले आपके सभी विद्यार्थियों को बधाई।`,
      `पदकों, पुरस्कारों और इनामों के साथ यहाँ देखें: ${mail.resultsPage}`,
    ],
    en: [
      `Results are out: ${what}`,
      `The results of ${what} are out. Congratulations to all your students who took part.`,
      `See them here, with medals, awards and prizes: ${mail.resultsPage}`,
    ],
  })
}

/** To a school whose results were changed by a correction after the release. */
export function resultsCorrectedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; what: string; season: string; version: number; reason: string; resultsPage: string },
): RenderedMail {
  const what = `${mail.what} ${mail.season}`
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `परिणाम सुधारे गए: ${what}`,
      `${what} में आपके विद्यालय के परिणाम सुधारे गए हैं (संस्करण ${mail.version})। कारण:\n\n    ${mail.reason}`,
      `क्या बदला है, यहाँ हर विद्यार्थी के लिए लिखा है: ${mail.resultsPage}`,
      'जिन प्रमाण पत्रों पर अब कुछ और लिखा है, वे मान्य नहीं हैं। कृपया उन्हें फिर छापें।',
    ],
    en: [
      `Results corrected: ${what}`,
      `Results of your school in ${what} have been corrected (version ${mail.version}). The reason:\n\n    ${mail.reason}`,
      `What has changed is listed here, student by student: ${mail.resultsPage}`,
      'Certificates whose contents have changed are no longer valid. Please print them again.',
    ],
  })
}

/** To the previous address, when a family's mobile number or e-mail was changed; without the new ones. */
export function contactChangedMail(
  sender: Sender,
  language: Language,
  mail: { school: string },
): RenderedMail {
  return renderMailIn(sender, language, '', {
    hi: [
      'आपके बच्चे की संपर्क जानकारी बदली गई है',
      `${mail.school} में ओलंपियाड के लिए नामांकित आपके बच्चे के पेज पर मोबाइल नंबर या ई-मेल बदला गया है। यह पता पहले वहाँ दर्ज था।`,
      'यदि आपने ही बदला है, तो कुछ करने की आवश्यकता नहीं है।',
      'यदि नहीं, तो कृपया विद्यालय को बताएँ: वह जानकारी सुधार सकता है।',
    ],
    en: [
      "Your child's contact details have been changed",
      `The mobile number or e-mail on your child's olympiad page at ${mail.school} was changed. This address was used before.`,
      'If it was you, there is nothing to do.',
      'If it was not you, please tell the school, which can correct the details.',
    ],
  })
}

const fieldNames = {
  name: { en: 'name', hi: 'नाम' },
  parent_name: { en: 'parent name', hi: 'अभिभावक का नाम' },
  parent_mobile: { en: 'mobile number', hi: 'मोबाइल नंबर' },
  parent_email: { en: 'e-mail', hi: 'ई-मेल' },
}

/** To the school: which student's family changed which fields; the student list shows the new values. */
export function familyChangedMail(
  sender: Sender,
  language: Language,
  mail: {
    classId: number
    section: string
    rollNo: number
    fields: readonly (keyof typeof fieldNames)[]
    list: string
  },
): RenderedMail {
  const named = (language: Language) => mail.fields.map((field) => fieldNames[field][language]).join(', ')
  const section = mail.section === '-' ? '' : ` ${mail.section}`
  const [en, hi] = [className(mail.classId), hindiClassName(mail.classId)]
  return renderMailIn(sender, language, '', {
    hi: [
      `एक परिवार ने अपनी जानकारी बदली है: ${hi}${section}, रोल नंबर ${mail.rollNo}`,
      `${hi}${section}, रोल नंबर ${mail.rollNo} के विद्यार्थी के परिवार ने यह बदला है: ${named('hi')}।`,
      `नई जानकारी अपनी विद्यार्थी सूची में देखें: ${mail.list}`,
      'यदि कुछ सही नहीं है, तो कृपया परिवार से बात करें।',
    ],
    en: [
      `A family has changed its details: ${en}${section}, roll no ${mail.rollNo}`,
      `The family of the student in ${en}${section}, roll no ${mail.rollNo}, has changed: ${named('en')}.`,
      `See the new details in your student list: ${mail.list}`,
      'If something is wrong, please speak to the family.',
    ],
  })
}

/** To a parent, in both languages: the link to the family's page, without the access code. */
export function familyLinkMail(
  sender: Sender,
  mail: { name: string; school: string; page: string },
): RenderedMail {
  return renderMail(
    sender,
    'en',
    "Your child's olympiad page · आपके बच्चे का ओलंपियाड पेज",
    mail.name,
    `${mail.school} entered your child for an olympiad. This page shows the entry, the enrolment ticket and later the results:`,
    mail.page,
    'You need the access code on the slip from school. We never send it with the link. If you do not have it, please ask the school.',
    `${mail.school} ने आपके बच्चे का ओलंपियाड के लिए नामांकन किया है। ऊपर के पेज पर नामांकन, प्रवेश पत्र और बाद में परिणाम दिखते हैं। पेज विद्यालय की पर्ची पर लिखा एक्सेस कोड माँगता है।`,
  )
}
