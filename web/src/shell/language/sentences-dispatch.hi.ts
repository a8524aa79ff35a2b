import type { dispatchErrors } from '@podium/contract/errors-dispatch'

/** The sentences of errors-dispatch.ts in Hindi. */
export const dispatchSentences: Record<keyof typeof dispatchErrors, string> = {
  'dispatch.corrected': 'इस पार्सल के पैक होने के बाद परिणाम सुधारे गए। इसे खोल दें: तब जो अब सही है वही बाकी रहेगा।',
  'dispatch.no_certificates': 'इस पार्सल में कोई प्रमाणपत्र नहीं है जो अब भी सही हो।',
  'dispatch.nothing_due': 'इस विद्यालय को अब कुछ भेजना बाकी नहीं है।',
  'dispatch.more_than_due': 'अब उतना बाकी नहीं है जितना आप पैक करना चाहते हैं। नई संख्याएँ दिखाई गई हैं; कृपया फिर से करें।',
  'dispatch.wrong_state': 'पैकेट की स्थिति इस बीच बदल चुकी है। नई स्थिति दिखाई गई है।',
  'dispatch.number_taken': 'इस कूरियर के किसी दूसरे पैकेट की यही कन्साइनमेंट संख्या है।',
  'dispatch.courier_off': 'यह कूरियर बंद है। कृपया दूसरा चुनें।',
  'dispatch.courier_known': 'इस नाम का कूरियर सूची में पहले से है।',
  'dispatch.too_many': 'एक बार में अधिक से अधिक 500 पैकेट। कृपया फ़िल्टर छोटा करें या कम चुनें।',
  'dispatch.no_packets': 'ऐसा कोई पैकेट नहीं है।',
  'dispatch.no_list': 'इनमें से किसी पैकेट की पैकिंग सूची नहीं है।',
  'dispatch.no_heads': 'पहली पंक्ति में स्तंभों के नाम होने चाहिए: Status, और Consignment No या Packet Id।',
  'dispatch.not_sent': 'यह पैकेट अभी कूरियर को नहीं दिया गया है।',
  'dispatch.confirmed': 'आपका विद्यालय इस पैकेट की पुष्टि कर चुका है।',
  'dispatch.counts_missing': 'इस पैकेट की सूची इस बीच बदल गई है। नई सूची दिखाई गई है; कृपया फिर से गिनें।',
  'papers.none': 'इन विद्यालयों के किसी विद्यार्थी का इस ओलंपियाड के लिए परीक्षा रोल नंबर नहीं है।',
  'papers.too_many': 'एक फ़ाइल में अधिक से अधिक 1,00,000 विद्यार्थी। कृपया कक्षा या राज्य चुनें।',
  'schedules.not_online': 'यह ओलंपियाड ऑनलाइन नहीं होता।',
  'schedules.slot_known': 'इसी समय का स्लॉट पहले से है।',
  'schedules.slot_used': 'विद्यार्थियों के पास यह स्लॉट है। पहले उन्हें दूसरा दें।',
  'schedules.no_room': 'इन स्लॉट में सबके लिए जगह नहीं है।',
  'schedules.nobody': 'इन विद्यालयों का कोई विद्यार्थी स्लॉट की प्रतीक्षा में नहीं है।',
  'schedules.no_heads': 'पहली पंक्ति में स्तंभों के नाम होने चाहिए: Exam Roll No, Date, From, To।',
  'questions.reviewed': 'किसी और ने इस बीच इस प्रश्न पर निर्णय कर दिया है।',
}
