/**
 * The languages of e-mails, documents and what the office writes itself. The website may have more: one for each folder in
 * web/words, whose readers get e-mails and documents in English.
 */
export const writtenLanguages = ['en', 'hi'] as const

export type WrittenLanguage = (typeof writtenLanguages)[number]

/** Choices of a form: each language by the name it has for its readers. */
export const languageChoices: readonly { value: WrittenLanguage; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'hi', label: 'हिन्दी' },
]
