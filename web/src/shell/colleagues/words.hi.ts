import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  invite: 'सहकर्मी को बुलाएँ',
  name: 'नाम',
  email: 'ई-मेल',
  emailHint: 'उनका अपना पता, जिसे वे विद्यालय में पढ़ते हैं। लिंक वहीं जाता है।',
  language: 'मेल की भाषा',
  english: 'English',
  hindi: 'हिन्दी',
  inviteSays:
    'उन्हें एक लिंक मिलता है जो 7 दिन तक और एक बार काम करता है। वे अपना पासवर्ड बनाते हैं और इस विद्यालय के लिए काम करते हैं: विद्यार्थी दर्ज करना, पुस्तकें मँगाना, भुगतान भेजना, परिणाम देखना।',
  send: 'निमंत्रण भेजें',
  sent: '{email} को निमंत्रण भेज दिया गया',
  cancel: 'रद्द करें',
  caption: 'निमंत्रण',
  invited: 'बुलाया गया',
  state: 'स्थिति',
  open: '{day} तक',
  over: 'समाप्त',
  by: '{name} ने',
  times: { one: 'एक बार भेजा', other: '{n} बार भेजा' },
  resend: 'फिर भेजें',
  resendOf: 'फिर भेजें: {name}',
  resent: '{email} को नया लिंक भेजा जा रहा है। पिछला अब काम नहीं करता।',
  withdraw: 'वापस लें',
  withdrawOf: 'वापस लें: {name}',
  withdrawTitle: '{name} का निमंत्रण वापस लें?',
  withdrawSays: 'मेल का लिंक अब काम नहीं करेगा।',
  withdrawn: '{name} का निमंत्रण वापस ले लिया गया',
}
