import { className } from '@podium/contract/classes'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { type Language, letter, letterIn, type RenderedMail, type Sender } from './mail-templates.ts'

/** To the address that stood there before, when a family's mobile number or e-mail was changed; without the new ones. */
export function contactChangedMail(
  sender: Sender,
  language: Language,
  mail: { school: string },
): RenderedMail {
  return letterIn(sender, language, '', {
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

/** To the school: which of its students a family has corrected, and which fields; what stands there now, the student list shows. */
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
  return letterIn(sender, language, '', {
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

/** To a parent, in both languages: the link of the family's page, without the access code. */
export function familyLinkMail(
  sender: Sender,
  mail: { name: string; school: string; page: string },
): RenderedMail {
  return letter(
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
