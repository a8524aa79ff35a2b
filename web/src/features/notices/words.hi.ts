import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  title: 'सूचनाएँ',
  unread: { one: '{n} अपठित', other: '{n} अपठित' },
  allRead: 'सब पढ़ी गईं',
  important: 'महत्वपूर्ण',
  since: '{from} से {until} तक',
  markRead: 'पढ़ा हुआ चिह्नित करें',
  markReadOf: 'पढ़ा हुआ चिह्नित करें: {title}',
  read: 'पढ़ी गई',
}
