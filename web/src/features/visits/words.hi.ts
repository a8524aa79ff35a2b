import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  title: {
    one: 'फ़ाउंडेशन ने आपके पोर्टल में काम किया',
    other: 'पिछले 90 दिनों में फ़ाउंडेशन ने आपके पोर्टल में {n} बार काम किया',
  },
  now: 'फ़ाउंडेशन अभी आपके पोर्टल में है',
  line: '{officer}, {account} के खाते से: {reason}',
  untilNow: 'अभी वहीं',
  done: 'क्या किया',
  nothingDone: 'देखा, कुछ नहीं बदला।',
}
