import { type Language, letter, type Sender, type Written } from './mail-templates.ts'

interface Switched {
  name: string
  school: string
  reason: string
  signIn: string
}

/** To somebody whose account the office has disabled. */
export function accountDisabledMail(sender: Sender, language: Language, mail: Switched): Written {
  return language === 'hi'
    ? letter(
        sender,
        language,
        'आपका खाता बंद कर दिया गया है',
        mail.name,
        `${mail.school} के लिए आपका खाता बंद कर दिया गया है। आप अब साइन इन नहीं कर सकते।`,
        `कारण: ${mail.reason}`,
        'यदि यह सही नहीं है, तो कृपया हमें फ़ोन करें।',
      )
    : letter(
        sender,
        language,
        'Your account has been disabled',
        mail.name,
        `Your account for ${mail.school} has been disabled. You can no longer sign in.`,
        `Reason: ${mail.reason}`,
        'If this is not right, please call us.',
      )
}

/** To somebody whose account the office has enabled again. */
export function accountEnabledMail(sender: Sender, language: Language, mail: Switched): Written {
  return language === 'hi'
    ? letter(
        sender,
        language,
        'आपका खाता फिर से चालू है',
        mail.name,
        `${mail.school} के लिए आपका खाता फिर से चालू कर दिया गया है।`,
        `कारण: ${mail.reason}`,
        `साइन इन करें: ${mail.signIn}`,
      )
    : letter(
        sender,
        language,
        'Your account works again',
        mail.name,
        `Your account for ${mail.school} has been enabled again.`,
        `Reason: ${mail.reason}`,
        `Sign in: ${mail.signIn}`,
      )
}
