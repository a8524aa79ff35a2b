/** The words of the form that families fill in, in both languages. */
export const familyWords = {
  en: {
    title: 'Registration and book order form',
    intro:
      'Please check what is printed here and correct it by hand; fill in the rest. Put a cross (X) behind the price of each subject and each book that you want, and return the form to the class teacher.',
    schoolCode: 'School code',
    child: 'Child',
    name: 'Name of the child',
    class: 'Class',
    section: 'Section',
    rollNo: 'Roll no',
    parent: 'Name of a parent',
    mobile: 'Mobile of a parent',
    email: 'E-mail',
    choice: 'Subjects and books',
    subject: 'Subject',
    examDate: 'Exam date',
    online: 'online',
    fee: 'Fee',
    amount: 'Amount to pay',
    late: (names: string, fee: string, day: string) =>
      `${names}: who is entered on ${day} or later pays a late fee of ${fee} for each subject.`,
    lateNow: (names: string, fee: string) => `${names}: the fee has a late fee of ${fee} in it.`,
    allSubjects: 'All subjects',
    consent: (foundation: string) =>
      `My child takes part in the olympiads marked above. The school may pass these details on to ${foundation}, which uses them for the exams, the results and the certificates alone.`,
    signature: 'Signature of a parent',
    date: 'Date',
    received: 'Received by the class teacher',
  },
  hi: {
    title: 'पंजीकरण और पुस्तक ऑर्डर फ़ॉर्म',
    intro:
      'कृपया यहाँ छपी जानकारी जाँचें और हाथ से सुधारें; बाकी भरें। जो विषय और पुस्तकें चाहिए, उनके मूल्य के आगे क्रॉस (X) लगाएँ और फ़ॉर्म कक्षा अध्यापक को लौटा दें।',
    schoolCode: 'विद्यालय कोड',
    child: 'विद्यार्थी',
    name: 'विद्यार्थी का नाम',
    class: 'कक्षा',
    section: 'सेक्शन',
    rollNo: 'रोल नंबर',
    parent: 'अभिभावक का नाम',
    mobile: 'अभिभावक का मोबाइल',
    email: 'ई-मेल',
    choice: 'विषय और पुस्तकें',
    subject: 'विषय',
    examDate: 'परीक्षा तिथि',
    online: 'ऑनलाइन',
    fee: 'शुल्क',
    amount: 'देय राशि',
    late: (names: string, fee: string, day: string) =>
      `${names}: ${day} या उसके बाद की प्रविष्टि पर हर विषय का विलंब शुल्क ${fee} लगेगा।`,
    lateNow: (names: string, fee: string) => `${names}: शुल्क में ${fee} विलंब शुल्क शामिल है।`,
    allSubjects: 'सभी विषय',
    consent: (foundation: string) =>
      `मेरा बच्चा ऊपर चिह्नित ओलंपियाड में भाग लेगा। विद्यालय यह जानकारी ${foundation} को दे सकता है, जो इसे केवल परीक्षा, परिणाम और प्रमाणपत्र के लिए काम में लेगा।`,
    signature: 'अभिभावक के हस्ताक्षर',
    date: 'तिथि',
    received: 'कक्षा अध्यापक को मिला',
  },
} as const

export type FamilyLanguage = keyof typeof familyWords
