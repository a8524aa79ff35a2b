import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words-waivers.en.ts'

/** The same in Hindi. */
export const hi: WordsLike<typeof en> = {
  title: 'माफ़ शुल्क',
  none: 'इस सत्र में कोई छूट नहीं माँगी गई।',
  student: 'विद्यार्थी',
  reason: 'कारण',
  askedOn: 'माँगी',
  state: 'स्थिति',
  asked: 'निर्णय बाक़ी',
  approved: 'माफ़',
  declined: 'अस्वीकृत',
  withdrawn: 'वापस ली',
  amount: 'राशि',
  ask: 'छूट माँगें',
  takeBack: 'वापस लें',
  takeBackOf: '{name} की छूट की माँग वापस लें',
  takenBack: 'छूट की माँग वापस ली गई',
  dialogTitle: 'छूट माँगें',
  says: 'जो परिवार भुगतान नहीं कर सकता, उसके बच्चे का पंजीकरण शुल्क फ़ाउंडेशन माफ़ कर सकता है। इसे वहाँ दो लोग देखते हैं।',
  class: 'कक्षा',
  choose: 'कृपया चुनें',
  nobodyDue: 'इस कक्षा में किसी का शुल्क देय नहीं',
  reasonHint: 'शुल्क क्यों नहीं दिया जा सकता। इसे केवल फ़ाउंडेशन पढ़ता है।',
  evidence: 'प्रमाण',
  evidenceHint: 'पत्र या प्रमाण पत्र, चित्र या PDF, अधिकतम {n} MB।',
  done: 'छूट माँगी गई; निर्णय आपको मेल से बताया जाएगा',
  cancel: 'रद्द करें',
}
