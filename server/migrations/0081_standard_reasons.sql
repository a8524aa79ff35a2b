-- Sentences that the office's dialogs offer for a reason: a list for each kind of decision, in order. Schools that read
-- Hindi see the Hindi text in the place of the English one; empty: the English one.
create table standard_reasons (
  -- 'payment', 'application', 'request', 'bank', 'waiver'
  kind text primary key,
  -- [{"en": "...", "hi": "..."}, ...]
  reasons jsonb not null,
  version int not null default 1
);

insert into standard_reasons (kind, reasons) values
  ('payment', '[
    {"en": "The money has not reached our account. Please check with your bank and send the details again.", "hi": "राशि हमारे खाते में नहीं आई है। कृपया अपने बैंक से पूछकर विवरण फिर भेजें।"},
    {"en": "The proof cannot be read. Please send a clear picture or the PDF of your bank.", "hi": "प्रमाण पढ़ा नहीं जा सकता। कृपया साफ़ चित्र या बैंक का पीडीएफ़ भेजें।"},
    {"en": "The amount on the proof differs from the amount due.", "hi": "प्रमाण की राशि देय राशि से अलग है।"},
    {"en": "The UTR is not the one on the proof. Please correct it.", "hi": "यूटीआर प्रमाण वाले यूटीआर से अलग है। कृपया ठीक करें।"},
    {"en": "This proof belongs to another payment.", "hi": "यह प्रमाण किसी और भुगतान का है।"}]'),
  ('application', '[
    {"en": "We could not find this school by its UDISE code, affiliation number or address.", "hi": "यूडाइस कोड, संबद्धता संख्या या पते से यह विद्यालय नहीं मिला।"},
    {"en": "Your school is already registered. Please ask its coordinator to invite you.", "hi": "आपका विद्यालय पहले से पंजीकृत है। कृपया उसके समन्वयक से निमंत्रण माँगें।"},
    {"en": "Only schools can register. Coaching centres cannot take part.", "hi": "केवल विद्यालय पंजीकरण कर सकते हैं। कोचिंग संस्थान भाग नहीं ले सकते।"}]'),
  ('request', '[
    {"en": "Please enter the UDISE code of your school (11 digits).", "hi": "कृपया अपने विद्यालय का यूडाइस कोड (11 अंक) लिखें।"},
    {"en": "Please enter the affiliation number and the name of your board.", "hi": "कृपया संबद्धता संख्या और अपने बोर्ड का नाम लिखें।"},
    {"en": "Please enter the full address with the PIN code.", "hi": "कृपया पिन कोड के साथ पूरा पता लिखें।"},
    {"en": "Please give a phone number of the school office.", "hi": "कृपया विद्यालय के कार्यालय का फ़ोन नंबर दें।"}]'),
  ('bank', '[
    {"en": "Interest of the bank", "hi": ""},
    {"en": "Reversal of a transfer of ours", "hi": ""},
    {"en": "Transfer between our own accounts", "hi": ""},
    {"en": "Not from a school", "hi": ""},
    {"en": "Test transfer", "hi": ""}]'),
  ('waiver', '[
    {"en": "The evidence does not show why the fee should be waived.", "hi": "प्रमाण से शुल्क माफ़ी का कारण स्पष्ट नहीं होता।"},
    {"en": "The evidence cannot be read. Please ask again with a clear copy.", "hi": "प्रमाण पढ़ा नहीं जा सकता। कृपया साफ़ प्रति के साथ फिर माँगें।"},
    {"en": "Waivers are for students whose family cannot pay the fee.", "hi": "माफ़ी उन विद्यार्थियों के लिए है जिनका परिवार शुल्क नहीं दे सकता।"}]');
