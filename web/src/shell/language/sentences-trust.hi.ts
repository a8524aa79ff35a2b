import type { trustErrors } from '@podium/contract/errors-trust'

/** The sentences of errors-trust.ts in Hindi. */
export const trustSentences: Record<keyof typeof trustErrors, string> = {
  'changes.too_many': 'ये 20,000 से अधिक बदलाव हैं। कृपया पहले दिन या फ़िल्टर कम करें।',
  'access.acting': 'अनुमति नहीं: यह विद्यालय स्वयं करता है। विद्यालय की ओर से काम करते समय कार्यालय यह नहीं कर सकता।',
  'access.not_coordinator': 'अनुमति नहीं: यह केवल आपके विद्यालय के समन्वयक करते हैं।',
  'colleagues.coordinator_first': 'ये समन्वयक हैं। पहले विद्यालय के किसी और व्यक्ति को समन्वयक बनाएँ।',
  'colleagues.coordinates_already': 'ये पहले से समन्वयक हैं।',
  'colleagues.offer_over': 'यह प्रस्ताव वापस ले लिया गया है या समाप्त हो गया है।',
  'colleagues.invitation_over':
    'यह निमंत्रण इस्तेमाल हो चुका है, वापस लिया गया है या समाप्त हो गया है। कृपया विद्यालय से नया माँगें।',
  'colleagues.known': 'इस पते का खाता अब बन चुका है। कृपया मेल का लिंक फिर से खोलें।',
  'colleagues.elsewhere': 'इस पते का खाता किसी और विद्यालय का है। एक खाता एक ही विद्यालय का होता है।',
  'colleagues.disabled': 'इस पते का खाता बंद है। कृपया फ़ाउंडेशन को फ़ोन करें।',
  'visits.nobody': 'इस विद्यालय का कोई व्यक्ति साइन इन नहीं कर सकता, इसलिए कोई खाता नहीं है।',
  'staff.last_owner': 'यही अकेला स्वामी है। पहले किसी और को स्वामी बनाएँ।',
  'staff.switched_off': 'यह व्यक्ति बंद है। पहले उसे फिर से चालू करें।',
  'staff.invite_over': 'यह निमंत्रण इस्तेमाल हो चुका है या समाप्त हो गया है। कृपया नया माँगें।',
  'nudges.too_soon': 'इन विद्यालयों को पिछले तीन दिनों में याद दिलाया जा चुका है, या उनमें किसी का ई-मेल नहीं है।',
  'mails.not_failed': 'यह मेल विफल नहीं हुई, या फिर से भेजी जा रही है।',
  'jobs.ended': 'यह काम पहले ही समाप्त हो चुका है।',
}
