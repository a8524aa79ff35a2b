/**
 * What parents are told before they consent (DPDP Act, s. 5 and 6; Rules 2025, rule 3): which data, what for, how to
 * withdraw, ask and complain. Other words are another version: consent names the one that was read.
 */
export const noticeVersion = '2026-1'

interface Notice {
  title: string
  paragraphs: readonly string[]
}

export const notices: Record<'en' | 'hi', Notice> = {
  en: {
    title: "How we use your child's data",
    paragraphs: [
      "What we hold: your child's name, class, section and roll number; a parent's name, mobile number and e-mail; the olympiads and books chosen; what was paid; marks, ranks and certificates.",
      'What for: to enter your child for the olympiads, to send papers and books to the school, to tell you and the school the results, to print certificates, and to keep the books that the law asks for. For nothing else: no advertising, no tracking, nobody else gets it.',
      "How long: a parent's contact until a year after the season; payments eight years, as the law asks; results until you ask that they be erased.",
      'You can withdraw your consent here at any time, as easily as you gave it. Then we erase what the law lets us erase; for payments the name goes and the amount stays.',
      'You can ask here for everything that we hold about your child, have it corrected, or have it erased. We answer within 90 days. For questions and complaints call the number at the foot of this page; after that you can turn to the Data Protection Board of India.',
    ],
  },
  hi: {
    title: 'हम आपके बच्चे के डेटा का उपयोग कैसे करते हैं',
    paragraphs: [
      'हमारे पास क्या है: बच्चे का नाम, कक्षा, अनुभाग और अनुक्रमांक; अभिभावक का नाम, मोबाइल नंबर और ई-मेल; चुने गए ओलंपियाड और पुस्तकें; भुगतान; अंक, रैंक और प्रमाणपत्र।',
      'किसलिए: बच्चे को ओलंपियाड में दर्ज करने, विद्यालय को प्रश्नपत्र और पुस्तकें भेजने, आपको और विद्यालय को परिणाम बताने, प्रमाणपत्र छापने और कानून के अनुसार हिसाब रखने के लिए। और किसी काम के लिए नहीं: न विज्ञापन, न निगरानी, न किसी और को दिया जाता है।',
      'कब तक: अभिभावक का संपर्क सत्र के एक वर्ष बाद तक; भुगतान आठ वर्ष, जैसा कानून कहता है; परिणाम तब तक जब तक आप मिटाने को न कहें।',
      'आप अपनी सहमति यहीं कभी भी वापस ले सकते हैं, उतनी ही आसानी से जितनी से दी थी। तब हम वह सब मिटाते हैं जो कानून मिटाने देता है; भुगतान में नाम हटता है और राशि रहती है।',
      'आप यहीं वह सब माँग सकते हैं जो हमारे पास आपके बच्चे के बारे में है, उसे ठीक करा सकते हैं या मिटवा सकते हैं। हम 90 दिनों के भीतर उत्तर देते हैं। प्रश्न और शिकायत के लिए इस पृष्ठ के नीचे दिए नंबर पर फ़ोन करें; उसके बाद आप भारत के डेटा संरक्षण बोर्ड के पास जा सकते हैं।',
    ],
  },
}
