/** How a call refuses a file or a spreadsheet that somebody sends; a part of errors.ts. */
export const fileErrors = {
  // Files that people send
  'file.store_away': {
    status: 503,
    sentence:
      'Files cannot be saved or opened right now. Nothing was changed. Please try again in a few minutes.',
  },
  'file.not_looked_at': {
    status: 503,
    sentence: 'This file could not be checked; the file itself is fine. Please send it once more.',
  },
  'file.unreadable': { status: 400, sentence: 'The file did not arrive completely. Please choose it again.' },
  'file.too_large': { status: 413, sentence: 'This file is larger than 5 MB. Please choose a smaller one.' },
  'file.unsupported': { status: 400, sentence: 'Please choose a JPEG, PNG or WebP picture, or a PDF.' },
  'file.damaged': {
    status: 400,
    sentence: 'This file is damaged and cannot be opened. Please save or photograph it again.',
  },
  'file.too_many_pixels': {
    status: 400,
    sentence: 'This picture has too many pixels. Please choose a smaller one.',
  },
  'file.pdf_active': {
    status: 400,
    sentence:
      'This PDF contains scripts, actions or attached files. Please print it to a new PDF, or send a picture.',
  },
  'file.pdf_locked': {
    status: 400,
    sentence: 'This PDF is protected by a password. Please send one without a password, or a picture.',
  },
  'file.no_preview': {
    status: 422,
    sentence: 'This PDF cannot be shown here. Please download it to read it.',
  },

  // Spreadsheets that people send
  'sheet.not_spreadsheet': {
    status: 400,
    sentence: 'This is not a spreadsheet. Please choose an .xlsx or .csv file.',
  },
  'sheet.old_format': {
    status: 400,
    sentence: 'This spreadsheet has an older format. Please save it as .xlsx or .csv and choose it again.',
  },
  'sheet.damaged': {
    status: 400,
    sentence: 'This spreadsheet is damaged and cannot be read. Please save it again.',
  },
  'sheet.locked': {
    status: 400,
    sentence: 'This spreadsheet is protected by a password. Please save it without one.',
  },
  'sheet.macros': {
    status: 400,
    sentence: 'This spreadsheet contains macros. Please save it as .xlsx without macros.',
  },
  'sheet.too_large': { status: 413, sentence: 'This spreadsheet is larger than we can read.' },
  'sheet.too_many_rows': { status: 400, sentence: 'This spreadsheet has too many rows.' },
  'sheet.too_many_columns': { status: 400, sentence: 'This spreadsheet has too many columns.' },
  'sheet.text_too_long': { status: 400, sentence: 'A cell of this spreadsheet contains too much text.' },
  'sheet.empty': { status: 400, sentence: 'This spreadsheet is empty.' },
} as const
