import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './words.en.ts'

export const hi: WordsLike<typeof en> = {
  history: 'इतिहास',
  noHistory: 'अभी कुछ नहीं हुआ।',
  older: 'पुराना',
  byOffice: 'फ़ाउंडेशन',
  byAccount: 'विद्यालय',
  byFamily: 'परिवार',
  bySystem: 'Podium',
  actingFor: '{name} की ओर से',
  changes: { one: '{n} बदलाव', other: '{n} बदलाव' },
  from: 'पहले',
  to: 'अब',
  nothingThere: 'खाली',
}
