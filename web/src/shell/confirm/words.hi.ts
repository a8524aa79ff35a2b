import type { WordsLike } from '../language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  title: 'पुष्टि करें कि यह आप ही हैं',
  says: 'आपकी पिछली पुष्टि 10 मिनट से पुरानी है। पुष्टि करते ही आपका काम अपने आप आगे बढ़ेगा।',
  code: 'कोड',
  codeHint: 'आपके ऑथेंटिकेटर के छह अंक, या एक रिकवरी कोड।',
  password: 'पासवर्ड',
  usePassword: 'पासवर्ड से करें',
  useCode: 'कोड से करें',
  confirm: 'पुष्टि करें',
}
