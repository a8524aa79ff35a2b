import type { WrittenLanguage } from '@podium/contract/languages'
import { addDays, istDay } from '@podium/contract/season'

/** Days allowed by law (DPDP Rules 2025, rule 14: grievances and rights within 90 days). */
const lawDays = 90

/** The last day for a request, as an IST day. */
export const dueOn = (requestedAt: Date): string => addDays(istDay(requestedAt), lawDays)

/** Days for which a granted file can be downloaded. */
const fileDays = 30

export const fileIsOver = (now: Date, done: Date | null): boolean =>
  done === null || now.getTime() - done.getTime() > fileDays * 86_400_000

export const openStates = ['asked', 'checked'] as const

/** Replaces an erased child's name. */
export const erasedName = 'Erased'

/** The error code for which a user can't carry out a request now; undefined if they can. */
export function refusalToCarryOut(
  request: { kind: string; state: string; checkedBy: number | null },
  staffId: number,
): 'privacy.decided' | 'privacy.not_checked' | 'privacy.second_person' | undefined {
  if (request.state === 'asked') return 'privacy.not_checked'
  if (request.state !== 'checked') return 'privacy.decided'
  if (request.kind === 'erase' && request.checkedBy === staffId) return 'privacy.second_person'
  return undefined
}

/**
 * The notice parents read before they consent (DPDP Act, s. 5 and 6; Rules 2025, rule 3): which data, what for, and how to
 * withdraw, ask and complain. A changed text needs a new version, because consent refers to the version read.
 */
export const noticeVersion = '2026-2'

export const notices: Record<WrittenLanguage, { title: string; paragraphs: readonly string[] }> = {
  en: {
    title: "How we use your child's data",
    paragraphs: [
      "What we hold: your child's name, class, section and roll no; a parent's name, mobile number and e-mail; the olympiads and books chosen; what was paid; marks, ranks and certificates.",
      'What for: to enter your child for the olympiads, send papers and books to the school, tell you and the school the results, print certificates, and keep the accounts that the law requires. Nothing else: we do not advertise or track, and give it to no one else.',
      "How long: a parent's contact details until a year after the season; payments for eight years, as the law requires; results until you ask us to erase them.",
      'You can withdraw your consent here at any time, as easily as you gave it. We then erase everything the law lets us erase; a payment keeps its amount, without the name.',
      'Here you can ask for a copy of everything we hold about your child, and have it corrected or erased. We answer within 90 days. For questions and complaints, call the number at the foot of this page; after that you can turn to the Data Protection Board of India.',
    ],
  },
  hi: {
    title: 'हम आपके बच्चे के डेटा का उपयोग कैसे करते हैं',
    paragraphs: [
      'हमारे पास क्या है: बच्चे का नाम, कक्षा, सेक्शन और रोल नंबर; अभिभावक का नाम, मोबाइल नंबर और ई-मेल; चुने गए ओलंपियाड और पुस्तकें; भुगतान; अंक, रैंक और प्रमाणपत्र।',
      'किसलिए: बच्चे को ओलंपियाड में दर्ज करने, विद्यालय को प्रश्नपत्र और पुस्तकें भेजने, आपको और विद्यालय को परिणाम बताने, प्रमाणपत्र छापने और कानून के अनुसार हिसाब रखने के लिए। और किसी काम के लिए नहीं: न विज्ञापन, न निगरानी; यह किसी और को नहीं दिया जाता।',
      'कब तक: अभिभावक का संपर्क सत्र के एक वर्ष बाद तक; भुगतान आठ वर्ष तक, जैसा कानून कहता है; परिणाम तब तक जब तक आप मिटाने को न कहें।',
      'आप अपनी सहमति यहीं कभी भी वापस ले सकते हैं, उतनी ही आसानी से जितनी से दी थी। तब हम वह सब मिटाते हैं जो कानून मिटाने देता है; भुगतान में नाम हटता है और राशि रहती है।',
      'आप यहीं अपने बच्चे के बारे में हमारे पास रखी सारी जानकारी की प्रति माँग सकते हैं, उसे ठीक करा सकते हैं या मिटवा सकते हैं। हम 90 दिनों के भीतर उत्तर देते हैं। प्रश्न और शिकायत के लिए इस पेज के नीचे दिए नंबर पर फ़ोन करें; उसके बाद आप भारत के डेटा संरक्षण बोर्ड के पास जा सकते हैं।',
    ],
  },
}

/**
 * Lists every column with text or documents, by table: whether it can hold data about a child or family, and what erasing
 * does with it (commands-erase.ts). A test fails for a column that is in neither list, so that no one adds one without
 * deciding.
 */
export const tablesAboutChildren: Readonly<Record<string, string>> = {
  // Emptied, replaced or deleted with the child
  students: 'name name_key parent_name parent_email parent_mobile family_link_id import_id',
  family_links: 'parent_mobile access_code_hash access_code_sealed',
  student_imports: 'sheet good_rows preview refused settings',
  student_import_changes: 'before',
  results: 'student_name exam_roll_no coupon_link link_secret',
  result_lists: 'shape body',
  result_anomalies: 'detail resolution reopened exam_roll_no',
  certificates: 'number',
  waivers: 'reason decision evidence_file_id',
  next_level_invitations: 'reason answer_note found_by',
  student_moves: 'reason',
  school_credits: 'note',
  audit: 'change',
  data_requests: 'message contact check_note',
  outbox: 'payload',
  sessions: 'token_hash family_link_id source agent',
  session_tokens: 'token_hash session_hash',
  tickets: 'email data',
  idempotency_keys: 'answer',
}

/** Columns that may name a child and are kept, with the reason. */
export const storedAboutStudents: Readonly<Record<string, { columns: string; why: string }>> = {
  students: {
    columns: 'exam_roll_no section',
    why: 'the registration number stands in for the name in the books (Companies Act, s. 128: 8 years)',
  },
  payments: {
    columns: 'remarks reason utr search_key',
    why: "a school's words about a transfer for many; books, 8 years",
  },
  bank_lines: { columns: 'narration utr search_key', why: "the bank's own words; books, 8 years" },
  bank_rules: { columns: 'contains reason', why: "words of the bank's own lines, and why they are ignored" },
  files: { columns: 'name', why: 'marks and proofs of many children; proofs go after 8 years' },
  consents: {
    columns: 'notice_version notice_sha256 language method state',
    why: 'who processes has to prove consent (s. 6); nothing but the number of the child',
  },
  data_requests: {
    columns: 'kind asked_through due_on state check_method decision outcome job_id records',
    why: 'that a request was answered in time has to be proved',
  },
  incidents: {
    columns: 'title search_key happened extent measures mail',
    why: 'what a breach was has to be shown to the Board; the form asks to name nobody in it',
  },
  school_notes: {
    columns: 'body',
    why: 'what the office has noted about a school; the form asks to name no student in it, and it goes after three years',
  },
  incident_notes: { columns: 'text', why: 'the same of its steps' },
  saved_views: { columns: 'name filters', why: "an officer's own search, which the officer deletes" },
}

/** Tables with text only about schools, staff, money or no one. */
export const tablesNotAboutChildren =
  'applications assignments backups bank_account_changes bank_accounts bank_debits bank_layouts bank_line_payments bank_statements ' +
  'book_choices contacts counters countries couriers day_closings designations dispatch_needs dispatch_stale ' +
  'dispatch_sums districts enrolments event_fees event_rules events exam_dates exam_schedules exam_slots foundation ' +
  'holidays mail_bounces bounced_addresses import_mappings jobs library_lines mail_texts next_level_rounds notice_reads notices packet_lines ' +
  'packet_receipts packet_track packets participations payment_library_lines payment_lines rate_limits refunds ' +
  'result_holds result_marks result_sets retention_runs school_invitations school_links school_mailings school_reminders school_steps ' +
  'acting_sessions schools season_figures seasons sign_offs social_identities staff staff_looks standard_reasons states subjects ' +
  'teacher_questions titles users zones schema_migrations coordinator_offers ledger_stale school_departures ' +
  'school_ledgers school_merges dispatch_releases packet_awards dispatch_spares dispatch_parts dispatch_items ' +
  'school_figures event_figures event_school_figures result_figures result_differences school_imports school_import_rows school_layouts instances attendance_lists attendance_absences'

/** Columns of the tables above with codes, place names or figures. */
export const plainColumns: Readonly<Record<string, string>> = {
  students: 'season subject_names letters cb pyqp genex tb wb',
  family_links: 'id season',
  student_imports: 'id season file_name sha256 job_id source counts rest_of',
  student_import_changes: 'import_id prices',
  results: 'section state zone medal prize award reason',
  result_anomalies: 'kind',
  waivers: 'season state',
  next_level_invitations: 'notice answer',
  student_moves: 'season',
  school_credits: 'season kind',
  audit: 'actor_kind actor_name acting_for season action subject_kind subject_id',
  outbox: 'key kind error',
  sessions: 'kind',
  tickets: 'id_hash kind school_link_id code_hash',
  idempotency_keys: 'scope key request_sha256',
  payments: 'season purpose reference proof_file_id proof_sha256 state receipt_no receipt_file_id',
  bank_lines: 'account_no line_key state guess proposal reason booking booking_job booking_refused',
  files: 'id kind media_type sha256',
  saved_views: 'list hidden',
  school_notes: 'kind',
  incidents: 'nature state job_id',
  incident_people: 'notified_via notified_note mail_key',
}
