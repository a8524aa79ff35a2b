import { type ErrorCode, errors } from '@podium/contract/errors'
import { type MessageKey, messages } from '@podium/contract/messages'
import { type CatalogueMessageKey, catalogueMessages } from '@podium/contract/messages-catalogue'
import { transportDetails } from '../transport-words.ts'
import { catalogueSentences } from './sentences-catalogue.hi.ts'
import { errorSentences } from './sentences-errors.hi.ts'
import { messageSentences } from './sentences-messages.hi.ts'
import { rowSentence } from './sentences-rows.hi.ts'
import { saidSentence } from './sentences-said.hi.ts'

const byEnglish = new Map<string, string>()
for (const [code, hindi] of Object.entries(errorSentences))
  byEnglish.set(errors[code as ErrorCode].sentence, hindi)
for (const [key, hindi] of Object.entries(messageSentences)) byEnglish.set(messages[key as MessageKey], hindi)
for (const [key, hindi] of Object.entries(catalogueSentences))
  byEnglish.set(catalogueMessages[key as CatalogueMessageKey], hindi)

const details: Readonly<Record<keyof typeof transportDetails, string>> = {
  offline: 'कनेक्शन नहीं है।',
  fault: 'कुछ ग़लत हुआ।',
}
for (const [key, hindi] of Object.entries(details))
  byEnglish.set(transportDetails[key as keyof typeof transportDetails], hindi)

/** The beginnings of transport failures (specification, section 8); what follows is a detail for support. */
const beginnings: readonly [string, string][] = [
  ['Internal Server Error: ', 'सर्वर में गड़बड़ी: '],
  ['Unknown Server Error: ', 'सर्वर में अनजान गड़बड़ी: '],
  ['Access Denied: ', 'अनुमति नहीं: '],
  ['Not Found: ', 'नहीं मिला: '],
  ['Error: ', 'गड़बड़ी: '],
]

export function lookup(sentence: string): string {
  const whole = byEnglish.get(sentence)
  if (whole) return whole
  const filled = rowSentence(sentence) ?? saidSentence(sentence, lookup)
  if (filled !== undefined) return filled
  const found = beginnings.find(([english]) => sentence.startsWith(english))
  return found ? found[1] + lookup(sentence.slice(found[0].length)) : sentence
}
