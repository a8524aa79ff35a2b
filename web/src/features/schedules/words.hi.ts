import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  title: 'परीक्षा समय की स्थिति',
  fact: 'आपके विद्यार्थी ऑनलाइन परीक्षाएँ कब देंगे, सत्र {season}. सभी समय भारतीय मानक समय में हैं।',
  notApplicable: 'लागू नहीं',
  empty: 'कुछ ओलंपियाड ऑनलाइन होते हैं। फ़ाउंडेशन जब आपके भुगतान किए हुए विद्यार्थियों का समय तय करेगा, वह यहाँ दिखेगा।',
  student: 'विद्यार्थी का नाम',
  classNo: 'कक्षा {n}',
  inClass: '{className} {section}, रोल नंबर {rollNo}',
  parent: 'माता/पिता का नाम',
  email: 'ई-मेल',
  event: 'विषय अक्षर',
  from: 'परीक्षा कब से',
  to: 'परीक्षा कब तक',
  examStatus: 'परीक्षा की स्थिति',
  scheduleStatus: 'समय की स्थिति',
  'Not started': 'शुरू नहीं हुई',
  'In progress': 'चल रही है',
  Completed: 'पूरी हुई',
  Missed: 'छूट गई',
  Scheduled: 'तय',
  Rescheduled: 'फिर से तय',
  Cancelled: 'रद्द',
}
