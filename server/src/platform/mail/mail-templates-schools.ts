import { type Language, type RenderedMail, renderMail, renderMailIn, type Sender } from './mail-templates.ts'

interface AccountStatusChange {
  name: string
  school: string
  reason: string
  signIn: string
}

/** To a person whose account the office has disabled. */
export function accountDisabledMail(
  sender: Sender,
  language: Language,
  mail: AccountStatusChange,
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
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

/** To a person whose account the office has enabled again. */
export function accountEnabledMail(
  sender: Sender,
  language: Language,
  mail: AccountStatusChange,
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
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

interface WaiverDecision {
  name: string
  /** Class, section and roll no: a mail never names a student */
  student: string
  approved: boolean
  reason: string
  page: string
}

/** To the person who requested a waiver, with the foundation's decision. */
export function waiverDecidedMail(sender: Sender, language: Language, mail: WaiverDecision): RenderedMail {
  if (language === 'hi')
    return renderMail(
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
  return renderMail(
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

/** To a person invited to a school's staff, with the link to join. `days` is how long the link works. */
export function invitationMail(
  sender: Sender,
  language: Language,
  mail: { name: string; by: string; school: string; link: string; days: number },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `${mail.school} आपको ${sender.shortName ?? sender.foundation} पर बुलाता है`,
      `${mail.by} आपको ${mail.school} के ओलंपियाड पोर्टल पर साथ काम करने के लिए बुलाते हैं: विद्यार्थी, पुस्तकें, भुगतान और परिणाम।`,
      `इस लिंक से जुड़ें:\n\n${mail.link}`,
      `लिंक ${mail.days} दिन तक और केवल एक बार काम करता है। इसे किसी को न भेजें।`,
      'यदि आप इस विद्यालय में काम नहीं करते, तो इस ई-मेल पर ध्यान न दें।',
    ],
    en: [
      `${mail.school} invites you to ${sender.shortName ?? sender.foundation}`,
      `${mail.by} invites you to the olympiad portal of ${mail.school}: students, books, payments and results.`,
      `Join with this link:\n\n${mail.link}`,
      `The link works once, within ${mail.days} days. Please do not share it.`,
      'If you do not work for this school, you can ignore this e-mail.',
    ],
  })
}

/** To a school's coordinator, when an invited person has joined. */
export function invitationAcceptedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `${mail.colleague} आपके विद्यालय से जुड़ गए हैं`,
      `${mail.colleague} ने निमंत्रण स्वीकार किया है और अब ${mail.school} के विद्यार्थियों को देख और दर्ज कर सकते हैं।`,
      'यदि यह सही नहीं है, तो पोर्टल में “स्टाफ़” पेज पर उन्हें हटाएँ।',
    ],
    en: [
      `${mail.colleague} has joined your school`,
      `${mail.colleague} accepted the invitation and can now see and enter students of ${mail.school}.`,
      'If this is wrong, remove them under Staff in the portal.',
    ],
  })
}

/** To a school's coordinator, when the office has merged another record of the school, with its staff, into it. */
export function staffAddedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; people: string; school: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      'आपके विद्यालय के स्टाफ़ में नए लोग आए हैं',
      `हमने आपके विद्यालय की दूसरी प्रविष्टि को ${mail.school} में मिला दिया है। उसके स्टाफ़ के ये लोग अब ${mail.school} के विद्यार्थियों को देख और दर्ज कर सकते हैं: ${mail.people}।`,
      'यदि यह सही नहीं है, तो पोर्टल में “स्टाफ़” पेज पर उन्हें हटाएँ।',
    ],
    en: [
      "New people on your school's staff",
      `We merged another entry of your school into ${mail.school}. These people can now see and enter its students: ${mail.people}.`,
      'If this is wrong, remove them under Staff in the portal.',
    ],
  })
}

/** To a person who was removed from a school. */
export function removedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; school: string; by: string; reason: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      'अब आप विद्यालय के पोर्टल में नहीं हैं',
      `${mail.by} ने आपको ${mail.school} के स्टाफ़ से हटा दिया है। आपको साइन आउट कर दिया गया है और आप अब उसके विद्यार्थियों को नहीं देख सकते।`,
      mail.reason === '' ? '' : `कारण: ${mail.reason}`,
      'आपका खाता आपका ही है। यदि यह भूल है, तो विद्यालय से नया निमंत्रण माँगें।',
    ],
    en: [
      "You no longer have access to your school's portal",
      `${mail.by} removed you from the staff of ${mail.school}. You are signed out and can no longer see its students.`,
      mail.reason === '' ? '' : `Reason: ${mail.reason}`,
      'You keep your account. If this is a mistake, ask the school for a new invitation.',
    ],
  })
}

/** To a person who is asked to become the school's coordinator. */
export function coordinationOfferedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; from: string; school: string; days: number; page: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
    hi: [
      `${mail.school}: क्या आप समन्वयक बनेंगे?`,
      `${mail.from} आपसे ${mail.school} के समन्वयक का काम सँभालने को कहते हैं। समन्वयक सूचियाँ पूरी घोषित करता है, सहकर्मियों को बुलाता है और भुगतान व परिणाम की ई-मेल पाता है।`,
      `यहाँ स्वीकार करें या मना करें, ${mail.days} दिन के भीतर: ${mail.page}`,
    ],
    en: [
      `${mail.school}: will you be the coordinator?`,
      `${mail.from} asks you to take over as coordinator of ${mail.school}. The coordinator signs off lists, manages staff and gets e-mails about payments and results.`,
      `Accept or decline here, within ${mail.days} days: ${mail.page}`,
    ],
  })
}

/** To the person who offered the role of coordinator, with the colleague's answer. */
export function coordinationAnsweredMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string; accepted: boolean },
): RenderedMail {
  if (language === 'hi')
    return renderMail(
      sender,
      language,
      mail.accepted ? `${mail.colleague} अब समन्वयक हैं` : `${mail.colleague} समन्वयक नहीं बनेंगे`,
      mail.name,
      mail.accepted
        ? `${mail.colleague} ने ${mail.school} के समन्वयक का काम सँभाल लिया है। आप स्टाफ़ में बने रहते हैं।`
        : `${mail.colleague} ने मना किया है। ${mail.school} के समन्वयक आप ही हैं।`,
    )
  return renderMail(
    sender,
    language,
    mail.accepted
      ? `${mail.colleague} is now the coordinator`
      : `${mail.colleague} declined to be coordinator`,
    mail.name,
    mail.accepted
      ? `${mail.colleague} has taken over as coordinator of ${mail.school}. You remain on its staff.`
      : `${mail.colleague} declined. You remain the coordinator of ${mail.school}.`,
  )
}

/** To the people concerned, when the foundation has named a new coordinator for their school. */
export function coordinatorNamedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; coordinator: string; self: boolean; school: string; reason: string },
): RenderedMail {
  if (language === 'hi')
    return renderMail(
      sender,
      language,
      mail.self ? `आप ${mail.school} के समन्वयक हैं` : `${mail.coordinator} ${mail.school} के समन्वयक हैं`,
      mail.name,
      mail.self
        ? `हमने आपको ${mail.school} का समन्वयक बनाया है।`
        : `हमने ${mail.coordinator} को ${mail.school} का समन्वयक बनाया है। आप स्टाफ़ में बने रहते हैं।`,
      `कारण: ${mail.reason}`,
      'यदि यह सही नहीं है, तो कृपया हमें फ़ोन करें।',
    )
  return renderMail(
    sender,
    language,
    mail.self
      ? `You are now the coordinator of ${mail.school}`
      : `${mail.coordinator} is now the coordinator of ${mail.school}`,
    mail.name,
    mail.self
      ? `We have made you the coordinator of ${mail.school}.`
      : `We have made ${mail.coordinator} the coordinator of ${mail.school}. You remain on its staff.`,
    `Reason: ${mail.reason}`,
    'If this is wrong, please call us.',
  )
}

/** To an address without an account for which a new password was requested: every request sends a mail. */
export function noAccountMail(sender: Sender, language: Language, mail: { register: string }): RenderedMail {
  return renderMailIn(sender, language, '', {
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

/** After a password change, so that an owner who did not make it notices. */
export function passwordChangedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; reset: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
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

/** After a provider was connected to an account. */
export function providerConnectedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; provider: string; reset: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
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

/** To a school's staff, when a colleague has joined with the access code from the school's letter. */
export function colleagueJoinedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string },
): RenderedMail {
  return renderMailIn(sender, language, mail.name, {
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
