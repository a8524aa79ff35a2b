import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './paper-words.en.ts'

export const hi: WordsLike<typeof en> = {
  title: 'छापने के लिए',
  what: 'काग़ज़',
  'class-list': 'कक्षा सूची',
  'fee-list': 'हस्ताक्षर सहित शुल्क संग्रह सूची',
  registration: 'परिवारों के लिए पंजीकरण और पुस्तक ऑर्डर फ़ॉर्म',
  aboutClassList: 'हर कक्षा और सेक्शन का एक पन्ना: अभिभावक, मोबाइल, विषय और टिप्पणी के लिए जगह।',
  aboutFeeList:
    'हर विद्यार्थी से कितना लेना है, विद्यालय कितना रखता है, चुकाया या देय, और हस्ताक्षर की जगह; हर सेक्शन और सबका योग।',
  aboutRegistration: 'हर विद्यार्थी का एक पन्ना, ज्ञात जानकारी के साथ, घर पर जाँचने और हस्ताक्षर के लिए।',
  language: 'भाषा',
  english: 'English',
  hindi: 'हिन्दी',
  who: { one: '{n} सक्रिय विद्यार्थी', other: '{n} सक्रिय विद्यार्थी' },
  groups: { one: '{n} सेक्शन में', other: '{n} सेक्शनों में' },
  print: 'PDF बनाएँ',
  again: 'फिर से सहेजें',
  stop: 'रोकें',
  progress: 'PDF बन रही है',
  drawn: '{total} में से {done} विद्यार्थी',
  waiting: 'बारी की प्रतीक्षा में',
  ready: 'PDF तैयार है। यह एक दिन रखी जाएगी।',
  stopped: 'रोक दिया गया।',
}
