/** What the letter of invitation says, in both languages. */
export const letterWords = {
  en: {
    language: 'en',
    title: 'Invitation',
    to: 'To the Principal',
    greeting: 'Dear Principal,',
    invites: (foundation: string, school: string) =>
      `${foundation} invites ${school} to take part in its olympiads. Your school has a place in our portal: there you enrol students, order books, choose exam dates, pay fees and see results.`,
    steps: 'How your school signs in',
    step: [
      "Point a phone's camera at the code, or type the address into a browser.",
      'Enter the access code from the lower part of this sheet.',
      'Create your account with your e-mail, or sign in. It belongs to your school at once.',
    ],
    address: 'Address',
    schoolCode: 'School code',
    help: (phone: string, hours: string) => `Questions? Please call ${phone} (${hours}).`,
    closing: 'With kind regards',
    cut: 'Cut here and keep this part apart from the letter',
    accessCode: 'Access code',
    keep: 'Only staff of your school should have it. Nobody of the foundation asks for it by phone. If it is lost, we make a new one.',
    qr: 'Opens the sign-in of your school',
    phone: 'Phone',
  },
  hi: {
    language: 'hi',
    title: 'निमंत्रण',
    to: 'सेवा में, प्रधानाचार्य',
    greeting: 'आदरणीय प्रधानाचार्य,',
    invites: (foundation: string, school: string) =>
      `${foundation} अपने ओलंपियाड में भाग लेने के लिए ${school} को आमंत्रित करता है। हमारे पोर्टल में आपके विद्यालय का स्थान बना है: वहाँ आप विद्यार्थियों का नामांकन करते हैं, पुस्तकें मँगाते हैं, परीक्षा तिथियाँ चुनते हैं, शुल्क भरते हैं और परिणाम देखते हैं।`,
    steps: 'आपका विद्यालय कैसे साइन इन करे',
    step: [
      'फ़ोन का कैमरा इस कोड पर रखें, या ब्राउज़र में यह पता लिखें।',
      'इस पन्ने के निचले हिस्से का एक्सेस कोड डालें।',
      'अपने ई-मेल से खाता बनाएँ, या साइन इन करें। खाता तुरंत आपके विद्यालय का हो जाता है।',
    ],
    address: 'पता',
    schoolCode: 'विद्यालय कोड',
    help: (phone: string, hours: string) => `कोई प्रश्न? कृपया ${phone} पर फ़ोन करें (${hours})।`,
    closing: 'सादर',
    cut: 'यहाँ से काटें और इस हिस्से को पत्र से अलग रखें',
    accessCode: 'एक्सेस कोड',
    keep: 'यह केवल आपके विद्यालय के कर्मचारियों के पास हो। फ़ाउंडेशन का कोई व्यक्ति इसे फ़ोन पर नहीं पूछता। खो जाए तो हम नया बनाते हैं।',
    qr: 'आपके विद्यालय का साइन-इन खोलता है',
    phone: 'फ़ोन',
  },
} as const
