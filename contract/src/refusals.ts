/** Builds errors that share an HTTP status: code → the sentence shown to the user. */
export const refusals = <S extends number, C extends string>(status: S, sentences: Record<C, string>) =>
  Object.fromEntries(
    Object.entries(sentences).map(([code, sentence]) => [code, { status, sentence }]),
  ) as Record<C, { readonly status: S; readonly sentence: string }>

/** Errors about uploaded files and spreadsheets; part of errors.ts. */
export const fileErrors = {
  ...refusals(400, {
    'file.unreadable': 'The file did not arrive completely. Please choose it again.',
    'file.unsupported': 'Please choose a JPEG, PNG or WebP picture, or a PDF.',
    'file.damaged': 'This file is damaged and cannot be opened. Please save or photograph it again.',
    'file.too_many_pixels': 'This picture has too many pixels. Please choose a smaller one.',
    'file.pdf_active':
      'This PDF contains scripts, actions or attached files. Please print it to a new PDF, or send a picture.',
    'file.pdf_locked':
      'This PDF is protected by a password. Please send one without a password, or a picture.',
    'sheet.not_spreadsheet': 'This is not a spreadsheet. Please choose an .xlsx or .csv file.',
    'sheet.old_format':
      'This spreadsheet has an older format. Please save it as .xlsx or .csv and choose it again.',
    'sheet.damaged': 'This spreadsheet is damaged and cannot be read. Please save it again.',
    'sheet.locked': 'This spreadsheet is protected by a password. Please save it without one.',
    'sheet.macros': 'This spreadsheet contains macros. Please save it as .xlsx without macros.',
    'sheet.too_many_rows': 'This spreadsheet has too many rows.',
    'sheet.too_many_columns': 'This spreadsheet has too many columns.',
    'sheet.text_too_long': 'A cell of this spreadsheet contains too much text.',
    'sheet.empty': 'This spreadsheet is empty.',
  }),
  ...refusals(413, {
    'file.too_large': 'This file is larger than 5 MB. Please choose a smaller one.',
    'sheet.too_large': 'This spreadsheet is larger than we can read.',
  }),
  ...refusals(422, { 'file.no_preview': 'This PDF cannot be shown here. Please download it to read it.' }),
  ...refusals(503, {
    'file.store_away':
      'Files cannot be saved or opened right now. Nothing was changed. Please try again in a few minutes.',
    'file.not_looked_at':
      'This file could not be checked; the file itself is fine. Please send it once more.',
  }),
}
