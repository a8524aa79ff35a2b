import { type SentenceKey, sentences } from '@podium/contract/sentences'

/** The Hindi of the sentences with names and figures in them; the same places in braces, in any order. */
export const saidInHindi: Readonly<Record<SentenceKey, string>> = {
  closedOn: '{subjects} का नामांकन {day} को बंद हो गया।',
  listSignedOff: '{subject} की सूची पर हस्ताक्षर हो चुके हैं।',
  notForClass: 'इस कक्षा में {subject} नाम का विषय नहीं है।',
  subjectFirst: '{book}: कृपया पहले विषय {subject} चुनें।',
  bookNotOffered: '{subject} के लिए इस कक्षा में {book} नहीं है।',
  rollTwice: '{place} का रोल नं {roll} पंक्ति {row} में लिखा जा चुका है।',
  rollTaken: '{place} का रोल नं {roll} {name} का है।',
  rollTakenByNow: '{place} का रोल नं {roll} अब {name} का है।',
  sameName: '{place}, रोल नं {roll}, {name} का नाम यही है।',
  carriedAgain: '{name} को फिर से लाया जा चुका है, नाम सूची में है।',
  classNotOffered: '{place} के लिए नहीं है: {subjects}।',
  notToBeEntered: 'यह विद्यार्थी उनमें नहीं है जिन्हें दर्ज किया जा सकता है।',
  nobodyToEnter: 'दर्ज करने के लिए कोई नहीं है।',
  changedMeanwhile: 'फ़ाइल की जाँच के बाद यह विद्यार्थी बदला गया, और वैसा ही रहेगा।',
  rollOfAnother: 'यह रोल नं दूसरे विद्यार्थी का है।',
  carriedMeanwhile: 'इस विद्यार्थी को इस बीच कोई और ले आया है।',
  amountsSinceCheck: 'फ़ाइल की जाँच के बाद राशियाँ बदल गई हैं। कृपया इसे फिर से भेजें।',
  amountsSinceList: 'सूची दिखने के बाद राशियाँ बदल गई हैं। कृपया सूची फिर से देखें।',
  rollSinceCheck: 'फ़ाइल की जाँच के बाद यह रोल नं दूसरे विद्यार्थी को दे दिया गया।',
  rollSinceList: 'सूची दिखने के बाद यह रोल नं दूसरे विद्यार्थी को दे दिया गया।',
  noFieldOfStudent: 'यह विद्यार्थी का कोई खाना नहीं है।',
  seasonNotValid: 'सत्र मान्य नहीं है।',
  sayVersion: 'बताइए कि कौन-सा रूप बदला गया।',
  fileTooLarge: 'यह फ़ाइल {n} MB से बड़ी है। कृपया छोटी फ़ाइल चुनें।',
  studentsTooMany: 'ये {n} से ज़्यादा विद्यार्थी हैं। कृपया इन्हें कई भागों में दर्ज करें।',
  rollMissing: 'रोल नंबर नहीं लिखा है।',
  attendanceNeither: 'न P है, न A।',
  notMarks: 'अंकों की संख्या नहीं है।',
  maximumIs: 'अधिकतम {n} है।',
  marksBeside: 'साथ में {n} अंक लिखे हैं।',
  noMarkAtAll: 'उपस्थित, पर एक भी अंक नहीं।',
  notScore: 'अधिक से अधिक चार दशमलव वाला अंक नहीं है।',
  weightsAdd: 'भार खंडों के {n} अंकों में एक अंक से कम जोड़ते हैं।',
  scoresDiffer: 'अंतिम अंक और भार मेल नहीं खाते।',
  rollOfNobody: 'इस सत्र के किसी विद्यार्थी का यह रोल नंबर नहीं है।',
  notInEvent: 'विद्यार्थी इस परीक्षा में दर्ज नहीं है।',
  rowBefore: 'विद्यार्थी पंक्ति {row} में इन्हीं अंकों के साथ है।',
  rowBeforeOther: 'विद्यार्थी पंक्ति {row} में दूसरे अंकों के साथ है: वहाँ {there}, यहाँ {here}।',
  faultyRowBefore: 'विद्यार्थी फ़ाइल में पहले ग़लती के साथ आ चुका है; यह पंक्ति गिनी गई।',
  paidNotInFile: 'भुगतान हुआ है, पर फ़ाइल में नहीं है।',
  wholeBetween: '{least} से {most} तक की पूरी संख्या लिखें।',
  rowsTooMany: 'इस स्प्रेडशीट में {n} से ज़्यादा पंक्तियाँ हैं। कृपया इसे कई फ़ाइलों में बाँटें।',
  columnsTooMany: 'पंक्ति {row} में {n} से ज़्यादा कॉलम हैं। कृपया नमूना फ़ाइल से काम लें।',
  textTooLong: 'पंक्ति {row}, कॉलम {column} में {n} से ज़्यादा अक्षर हैं।',
  sheetTooLarge: 'यह स्प्रेडशीट {n} MB से बड़ी है। कृपया इसे बाँटें, या जो ज़रूरी नहीं उसे छोड़ दें।',
  schoolTwice: 'यही विद्यालय पंक्ति {row} में है।',
  countryUnknown: 'यह देश ज्ञात नहीं है।',
  countryMeant: 'यह देश ज्ञात नहीं है। क्या आपका मतलब «{name}» है?',
  stateUnknown: 'यह राज्य ज्ञात नहीं है।',
  stateMeant: 'यह राज्य ज्ञात नहीं है। क्या आपका मतलब «{name}» है?',
  paymentVerified: 'इस बीच {name} ने इस भुगतान को सत्यापित कर दिया (रसीद {receipt})।',
  paymentRejected: 'इस बीच {name} ने इस भुगतान को अस्वीकार कर दिया।',
  lineBooked: 'इस बीच {name} ने यह पंक्ति बुक कर दी।',
  lineDiscarded: 'इस बीच {name} ने यह पंक्ति छोड़ दी।',
  dayWithoutLine: 'कृपया लिखें कि इस दिन के भुगतानों की बैंक में पंक्ति क्यों नहीं है।',
  requestWords: 'कृपया लिखें कि किसने क्या माँगा।',
  requestNote: 'कृपया लिखें कि क्या जाँचा गया।',
  requestReason: 'कृपया कारण लिखें; परिवार इसे पढ़ता है।',
  requestWho: 'कृपया लिखें कि किस अभिभावक ने, कब और क्या माँगा।',
  longest: 'अधिक से अधिक {n} अक्षर।',
  nestedTooDeeply: 'अनुरोध {n} स्तरों से अधिक गहरा है।',
  twice: '{field} वहाँ दो बार है।',
  fieldUnknown: 'यह खाना यहाँ ज्ञात नहीं है।',
  withReference: '{sentence} संदर्भ: {id}',
  jobFailed: 'हमारी ओर कुछ गड़बड़ हुई। कृपया फिर से शुरू करें।',
  somebodyElse: 'किसी और',
  anotherStudent: 'किसी दूसरे विद्यार्थी',
  incidentMoment: 'दिन और समय लिखें, जैसे 21-11-2026 और 14:30।',
  incidentHappened: 'कृपया लिखें कि क्या हुआ।',
  incidentNote: 'कृपया टिप्पणी लिखें।',
  incidentInFuture: 'यह समय अभी आया नहीं है।',
  incidentNobody: 'कृपया कम से कम एक ज्ञात लिखें।',
  incidentHowTold: 'कृपया लिखें कि उन्हें कैसे बताया गया।',
  incidentWords: 'कृपया यह भरें; प्रभावित लोग इसे पढ़ते हैं।',
}

interface Pattern {
  english: RegExp
  hindi: string
  /** How many letters of it are fixed: the more of them, the surer it is the one that was meant */
  fixed: number
}

const place = /\{(\w+)\}/g
const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patterns: readonly Pattern[] = (Object.keys(sentences) as SentenceKey[])
  .map((key) => {
    const english = sentences[key]
    const parts = english.split(place).map((part, at) => (at % 2 === 1 ? `(?<${part}>.+?)` : plain(part)))
    const fixed = english.replace(place, '').length
    return { english: new RegExp(`^${parts.join('')}$`, 'u'), hindi: saidInHindi[key], fixed }
  })
  .sort((one, other) => other.fixed - one.fixed)

/** The Hindi of a sentence that `said` has filled in, its values as `inside` says them; undefined for any other. */
export function saidSentence(sentence: string, inside: (value: string) => string): string | undefined {
  for (const { english, hindi } of patterns) {
    const found = english.exec(sentence)
    if (found) return hindi.replace(place, (_, name: string) => inside(found.groups?.[name] ?? ''))
  }
  return undefined
}
