import { type Language, letterIn, type RenderedMail, type Sender } from './mail-templates.ts'

/** To an address that has no account, when somebody asked for a new password for it: everybody gets a mail. */
export function noAccountMail(sender: Sender, language: Language, mail: { register: string }): RenderedMail {
  return letterIn(sender, language, '', {
    hi: [
      'इस पते का कोई खाता नहीं है',
      'किसी ने, शायद आपने, इस पते के लिए नया पासवर्ड माँगा। इस पते का कोई सक्रिय खाता नहीं है।',
      `खाता बनाएँ: ${mail.register}`,
      'यदि वह आप नहीं थे, तो कुछ करने की आवश्यकता नहीं है।',
    ],
    en: [
      'There is no account with this address',
      'Someone, probably you, asked for a new password for this address. It has no active account.',
      `Create an account: ${mail.register}`,
      'If it was not you, you can ignore this e-mail.',
    ],
  })
}

/** After a password was changed: whoever did not do it learns of it. */
export function passwordChangedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; reset: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
    hi: [
      'आपका पासवर्ड बदल गया है',
      'आपके खाते का पासवर्ड बदल गया है, और बाकी सभी जगहों से साइन आउट कर दिया गया है।',
      `यदि वह आप नहीं थे, तो तुरंत नया पासवर्ड बनाएँ: ${mail.reset}`,
    ],
    en: [
      'Your password has been changed',
      'Your password has been changed, and you were signed out everywhere else.',
      `If it was not you, set a new one at once: ${mail.reset}`,
    ],
  })
}

/** After a provider was connected with an account. */
export function providerConnectedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; provider: string; reset: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
    hi: [
      `अब आप ${mail.provider} से साइन इन कर सकते हैं`,
      `आपका ${mail.provider} खाता आपके यहाँ के खाते से जुड़ गया है।`,
      `यदि वह आप नहीं थे, तो हमें फ़ोन करें और नया पासवर्ड बनाएँ: ${mail.reset}`,
    ],
    en: [
      `You can now sign in with ${mail.provider}`,
      `Your ${mail.provider} account has been connected with your account here.`,
      `If it was not you, please call us and set a new password: ${mail.reset}`,
    ],
  })
}

/** To the people of a school, when a colleague has joined with the access code of the school's letter. */
export function colleagueJoinedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
    hi: [
      `${mail.colleague} आपके विद्यालय से जुड़ गए हैं`,
      `${mail.colleague} विद्यालय के पत्र पर दिए एक्सेस कोड से ${mail.school} में जुड़ गए हैं और अब उसके विद्यार्थियों को देख और दर्ज कर सकते हैं।`,
      'यदि आप उन्हें नहीं जानते, तो कृपया हमें फ़ोन करें।',
    ],
    en: [
      `${mail.colleague} has joined your school`,
      `${mail.colleague} joined ${mail.school} with the access code from the school's letter, and can now see and enter its students.`,
      'If you do not know this person, please call us.',
    ],
  })
}
