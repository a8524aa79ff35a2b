-- What the office sets of the foundation: how it is called and written to, how it looks, how it is reached, and the limits
-- that it may move.
create table foundation (
  id int primary key default 1 check (id = 1),
  name text not null,
  support_phone text not null,
  support_email text not null,
  support_hours text not null default 'Monday to Friday, 9 AM to 5 PM',
  receipt_prefix text not null default 'PD',
  social_links jsonb not null default '[]',
  demo boolean not null default false,
  version int not null default 1,
  -- How the foundation looks: its logo (written anew by us) and a colour of its own, empty for ours
  logo_file_id text references files (id),
  colour text not null default '',
  -- As it stands in page heads and on papers where room is short; empty: the name
  short_name text not null default '',
  -- Lines as they stand on an envelope
  postal_address text not null default '',
  website text not null default '',
  support_hours_hi text not null default '',
  logo_width int not null default 0,
  logo_height int not null default 0,
  -- {"importRows": 2000, ...}: those alone that differ from what is built in
  limits jsonb not null default '{}',
  -- Each part has a version of its own, so that two officers who change two parts are both right.
  identity_version int not null default 1,
  logo_version int not null default 1,
  colour_version int not null default 1,
  support_version int not null default 1,
  limits_version int not null default 1
);

-- Countries are named by the standard; India alone has a list of states, grouped in zones.
create table countries (
  id int primary key,
  code text not null unique,
  name text not null unique
);

create table states (
  id int generated always as identity primary key,
  country_id int not null references countries (id),
  code text not null unique,
  name text not null unique,
  zone text not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default ''
);

create table districts (
  id int generated always as identity primary key,
  state_id int not null references states (id),
  name text not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default '',
  unique (state_id, name)
);

-- A zone is a named set of states; abroad is one, to which no state belongs. Schools carry its name.
create table zones (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default ''
);

-- Contact persons' designations and titles. What is used is never deleted, only switched off; so in all lists here. Where
-- `name_hi` is empty, readers of Hindi see the English name.
create table designations (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default ''
);

create table titles (
  id int generated always as identity primary key,
  name text not null unique,
  position int not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default ''
);

-- A season (1 April to 31 March IST) with its own events, fees, dates and rules.
create table seasons (
  label text primary key,
  -- 'preparing', 'open', 'closed'
  state text not null,
  -- How the school's retained share is computed: {"kind":"perHead"} (default), {"kind":"percent","percent":15}, {"kind":"slabs",...}
  share_rule jsonb not null default '{"kind":"perHead"}',
  fee_due_on date not null,
  results_from date not null,
  created_at timestamptz not null,
  version int not null default 1,
  -- How many days before an event's first date its choice of dates closes; a rule of the season.
  date_choice_days int not null default 30 check (date_choice_days >= 0),
  -- Since when the season's share rule counts; entries from before keep the share they had. Null: since the season was made.
  share_since timestamptz
);

-- Days on which no exam should be held.
create table holidays (
  id int generated always as identity primary key,
  held_on date not null unique,
  name text not null,
  active boolean not null default true,
  version int not null default 1,
  name_hi text not null default ''
);

create table subjects (
  letter text primary key,
  name text not null unique,
  little_star boolean not null,
  position int not null,
  name_hi text not null default ''
);

-- A subject in a season at an exam level. `eventYearId` in the calls.
create table events (
  id bigint generated always as identity primary key,
  season text not null references seasons (label),
  letter text not null references subjects (letter),
  level int not null default 1,
  -- 'Online' or 'Offline'
  mode text not null,
  -- Last day (IST) on which schools can enter, change or delete
  closes_on date not null,
  maximum_marks int not null,
  -- [{ "name": "Achievers section", "maximum": 10 }, ...]
  sections jsonb not null,
  -- Ranks, medals, prizes, awards, eligibility; see server/src/features/results/rules.ts
  rules jsonb not null,
  rules_version int not null default 1,
  version int not null default 1,
  -- From this day (IST) on an entry of the event costs so much more (paise); both or neither.
  late_from date,
  late_fee int not null default 0,
  unique (season, letter, level),
  constraint events_late_fee_check check (late_fee >= 0 and (late_from is null) = (late_fee = 0))
);

-- The dates an event offers; ordinal 1 and 2. `examDateId` in the calls.
create table exam_dates (
  id bigint generated always as identity primary key,
  event_id bigint not null references events (id),
  ordinal int not null,
  held_on date not null,
  unique (event_id, ordinal)
);

-- What a class pays for an event: registration fee, retained share, book prices (null: not offered), all in paise.
create table event_fees (
  event_id bigint not null references events (id),
  class_id int not null,
  fee int not null,
  retained int not null,
  cb int,
  pyqp int,
  genex int,
  tb int,
  wb int,
  -- Retained share of each ticked book
  book_retained int not null default 0,
  primary key (event_id, class_id)
);

-- Every version of an event's rules; the newest is the one in events.rules. Version 1 has a row once there is a second.
create table event_rules (
  event_id bigint not null references events (id),
  version int not null,
  rules jsonb not null,
  -- Why they were changed
  note text not null default '',
  -- Null for the rules with which the event began
  saved_by bigint,
  saved_at timestamptz,
  primary key (event_id, version)
);

-- Where schools pay to: one account for each kind of fee item.
create table bank_accounts (
  id bigint generated always as identity primary key,
  -- 'registration', 'books'
  purpose text not null,
  account_name text not null,
  bank_name text not null,
  account_no text not null,
  ifsc text not null,
  upi_id text not null,
  valid_from timestamptz not null,
  version int not null default 1,
  -- An account of the foundation that was approved and then stopped before it took effect
  stopped_at timestamptz
);

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
