import type { WordsLike } from '#shell/language/words.ts'
import type { en } from './privacy-words.en.ts'

/** परिवार के लिए बच्चों के डेटा के शब्द। */
export const hi: WordsLike<typeof en> = {
  version: 'सूचना {version}',
  noConsent: 'आपने अभी नहीं बताया कि आप सहमत हैं या नहीं।',
  isGiven: 'आपने {day} को सहमति दी।',
  isWithdrawn: 'आपने {day} को सहमति वापस ली।',
  give: 'मैं अभिभावक हूँ और सहमत हूँ',
  withdraw: 'सहमति वापस लें',
  given: 'धन्यवाद। आपकी सहमति दर्ज हो गई।',
  withdrawn: 'आपकी सहमति वापस ले ली गई।',
  withdrawMeans:
    'आपकी सहमति के बिना {name} भाग नहीं ले सकते, और हमसे तुरंत वह सब मिटाने को कहा जाता है जो कानून मिटाने देता है।',
  yesWithdraw: 'हाँ, वापस लें',
  askExport: 'सारा डेटा माँगें',
  askErase: 'मिटाने को कहें',
  asked: 'हमें आपका अनुरोध मिल गया।',
  openAlready: 'यह पहले ही माँगा जा चुका है।',
  eraseMeans:
    'हम जाँचेंगे कि आप अभिभावक हैं, फिर {name} का नाम, आपका संपर्क और प्रमाणपत्र मिटा देंगे। {name} फिर भाग नहीं ले सकेंगे। यह वापस नहीं हो सकता।',
  yesErase: 'हाँ, अनुरोध करें',
  no: 'नहीं',
  export: 'सारा डेटा',
  erase: 'मिटाना',
  correct: 'सुधार',
  state_asked: 'हम {day} तक उत्तर देंगे।',
  state_checked: 'काम हो रहा है; हम {day} तक उत्तर देंगे।',
  state_done: 'पूरा हुआ।',
  state_declined: 'अस्वीकृत।',
  state_withdrawn: 'वापस लिया गया।',
  pdf: 'पढ़ने के लिए (PDF)',
  json: 'प्रोग्राम के लिए (JSON)',
}
