import { type Language, letter, letterIn, type RenderedMail, type Sender } from './mail-templates.ts'

/** To somebody who is invited to work for a school: the link with which they join. `days` is how long it works. */
export function invitationMail(
  sender: Sender,
  language: Language,
  mail: { name: string; by: string; school: string; link: string; days: number },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
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

/** To the coordinator of a school, when somebody who was invited has joined. */
export function invitationAcceptedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
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

/** To the coordinator of a school, when the office has merged another entry of it, with its staff, into it. */
export function peopleCameMail(
  sender: Sender,
  language: Language,
  mail: { name: string; people: string; school: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
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

/** To somebody who was removed from a school. */
export function removedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; school: string; by: string; reason: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
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

/** To somebody who is asked to become the coordinator of the school. */
export function coordinationOfferedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; from: string; school: string; days: number; page: string },
): RenderedMail {
  return letterIn(sender, language, mail.name, {
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

/** To the one who has offered the coordinator's part: what the colleague has answered. */
export function coordinationAnsweredMail(
  sender: Sender,
  language: Language,
  mail: { name: string; colleague: string; school: string; accepted: boolean },
): RenderedMail {
  if (language === 'hi')
    return letter(
      sender,
      language,
      mail.accepted ? `${mail.colleague} अब समन्वयक हैं` : `${mail.colleague} समन्वयक नहीं बनेंगे`,
      mail.name,
      mail.accepted
        ? `${mail.colleague} ने ${mail.school} के समन्वयक का काम सँभाल लिया है। आप स्टाफ़ में बने रहते हैं।`
        : `${mail.colleague} ने मना किया है। ${mail.school} के समन्वयक आप ही हैं।`,
    )
  return letter(
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

/** To the people concerned, when the foundation has made somebody the coordinator of their school. */
export function coordinatorNamedMail(
  sender: Sender,
  language: Language,
  mail: { name: string; coordinator: string; self: boolean; school: string; reason: string },
): RenderedMail {
  if (language === 'hi')
    return letter(
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
  return letter(
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
