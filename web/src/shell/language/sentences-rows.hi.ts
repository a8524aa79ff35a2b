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
  'This student was changed after the file was checked, and stays so.':
    'फ़ाइल की जाँच के बाद यह विद्यार्थी बदला गया, और वैसा ही रहेगा।',
  'This roll no belongs to another student.': 'यह रोल नं दूसरे विद्यार्थी का है।',
  'The amounts have changed since the file was checked. Please send it again.':
    'फ़ाइल की जाँच के बाद राशियाँ बदल गई हैं। कृपया इसे फिर से भेजें।',
  'This roll no was given to another student after the file was checked.':
    'फ़ाइल की जाँच के बाद यह रोल नं दूसरे विद्यार्थी को दे दिया गया।',
}

/** With names and figures in them: what stands in the brackets goes to the places `$1`, `$2` … */
const patterned: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Enrolment for (.+) closed on (.+)\.$/, '$1 का नामांकन $2 को बंद हो गया।'],
  [/^The list of (.+) is signed off\.$/, '$1 की सूची पर हस्ताक्षर हो चुके हैं।'],
  [/^(.+) is not offered to this class\.$/, '$1 इस कक्षा के लिए नहीं है।'],
  [/^(.+): please choose the subject (.+) first\.$/, '$1: कृपया पहले विषय $2 चुनें।'],
  [/^(.+) is not offered for (.+) in this class\.$/, '$2 के लिए इस कक्षा में $1 नहीं है।'],
  [/^Roll no (.+) of (.+) stands in row (.+) already\.$/, '$2 का रोल नं $1 पंक्ति $3 में लिखा जा चुका है।'],
  [/^Roll no (.+) of (.+) is taken by (.+)\.$/, '$2 का रोल नं $1 $3 का है।'],
]

/** The Hindi of a sentence about a row, or undefined. */
export function rowSentence(sentence: string): string | undefined {
  const whole = fixed[sentence]
  if (whole) return whole
  const found = patterned.find(([english]) => english.test(sentence))
  return found && sentence.replace(found[0], found[1])
}
