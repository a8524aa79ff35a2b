import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  nothingTitle: 'यह लिंक कहीं नहीं जाता',
  nothingText: 'शायद लिंक अधूरा है। विद्यालय से मिली पर्ची का QR कोड फिर से स्कैन करें।',
}
