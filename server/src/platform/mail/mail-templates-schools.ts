import { type Language, letter, letterIn, type RenderedMail, type Sender } from './mail-templates.ts'

interface Switched {
  name: string
  school: string
  reason: string
  signIn: string
}

/** To somebody whose account the office has disabled. */
export function accountDisabledMail(sender: Sender, language: Language, mail: Switched): RenderedMail {
  return letterIn(sender, language, mail.name, {
    hi: [
      'आपका खाता बंद कर दिया गया है',
      `${mail.school} के लिए आपका खाता बंद कर दिया गया है। आप अब साइन इन नहीं कर सकते।`,
      `कारण: ${mail.reason}`,
      'यदि यह सही नहीं है, तो कृपया हमें फ़ोन करें।',
    ],
    en: [
      'Your account has been disabled',
      `Your account for ${mail.school} has been disabled. You can no longer sign in.`,
      `Reason: ${mail.reason}`,
      'If this is wrong, please call us.',
    ],
  })
}

/** To somebody whose account the office has enabled again. */
export function accountEnabledMail(sender: Sender, language: Language, mail: Switched): RenderedMail {
  return letterIn(sender, language, mail.name, {
    hi: [
      'आपका खाता फिर से चालू है',
      `${mail.school} के लिए आपका खाता फिर से चालू कर दिया गया है।`,
      `कारण: ${mail.reason}`,
      `साइन इन करें: ${mail.signIn}`,
    ],
    en: [
      'Your account is active again',
      `Your account for ${mail.school} has been enabled again.`,
      `Reason: ${mail.reason}`,
      `Sign in: ${mail.signIn}`,
    ],
  })
}

interface WaiverDecided {
  name: string
  /** Class, section and roll no: a mail names no child */
  student: string
  approved: boolean
  reason: string
  page: string
}

/** To whoever has asked for a waiver: what the foundation has decided. */
export function waiverDecidedMail(sender: Sender, language: Language, mail: WaiverDecided): RenderedMail {
  if (language === 'hi')
    return letter(
      sender,
      language,
      mail.approved ? 'शुल्क में छूट स्वीकृत' : 'शुल्क में छूट स्वीकृत नहीं',
      mail.name,
      mail.approved
        ? `विद्यार्थी ${mail.student} का पंजीकरण शुल्क माफ़ कर दिया गया है।`
        : `विद्यार्थी ${mail.student} का पंजीकरण शुल्क माफ़ नहीं हुआ; वह देय है।`,
      mail.approved ? '' : `कारण: ${mail.reason}`,
      `भुगतान का पेज: ${mail.page}`,
    )
  return letter(
    sender,
    language,
    mail.approved ? 'A fee was waived' : 'A fee was not waived',
    mail.name,
    mail.approved
      ? `The registration fee of the student ${mail.student} was waived.`
      : `The registration fee of the student ${mail.student} was not waived and is still due.`,
    mail.approved ? '' : `Reason: ${mail.reason}`,
    `Your payments page: ${mail.page}`,
  )
}
