/** Sentences of the check of rows (contract/src/enrolment-row.ts, enrolment-fee.ts, enrolment-place.ts) that no catalogue names. */
const fixed: Readonly<Record<string, string>> = {
  'This is not a class: Nursery, LKG, UKG or 1 to 12.': 'यह कक्षा नहीं है: Nursery, LKG, UKG या 1 से 12।',
  'Roll No is a whole number from 1.': 'रोल नं 1 से शुरू होने वाली पूर्ण संख्या है।',
  'Roll No is at most 999999.': 'रोल नं अधिक से अधिक 999999 है।',
  'Section is A to Z, or - for none.': 'सेक्शन A से Z है, या कोई नहीं तो -।',
  'The spreadsheet program has made a date of this.': 'स्प्रेडशीट प्रोग्राम ने इसे तारीख़ बना दिया है।',
  'The spreadsheet program has shortened this number: please type all its digits.':
    'स्प्रेडशीट प्रोग्राम ने यह संख्या छोटी कर दी है: कृपया सभी अंक लिखें।',
  'The class names another section than the column of sections.': 'कक्षा में लिखा सेक्शन, सेक्शन के कॉलम से अलग है।',
  'A name is letters on one line.': 'नाम एक पंक्ति में अक्षरों से लिखा जाता है।',
  'A name does not begin with =, + or @.': 'नाम =, + या @ से शुरू नहीं होता।',
  'At most 50 subjects.': 'अधिक से अधिक 50 विषय।',
}

/** The Hindi of a sentence about a row, or undefined. */
export const rowSentence = (sentence: string): string | undefined => fixed[sentence]
