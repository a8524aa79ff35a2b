import type { WrittenLanguage } from '../languages.ts'
/** Names of background jobs by kind, with `_` for its signs: for the list, its export and its search. */
export const jobWords = {
  en: {
    students_import: 'Student import',
    students_print: 'Printed lists',
    schools_import_check: 'Check of a school import',
    schools_import: 'School import',
    schools_merge: 'School merge',
    schools_letters: 'Letters to schools',
    schools_mailing: 'E-mail to schools',
    dispatch_pack: 'Packing',
    exams_papers: 'Exam papers',
    bank_match: 'Bank matching',
    bank_book: 'Bank matches',
    bank_book_line: 'Match of a bank line',
    results_import: 'Marks import',
    results_compute: 'Result calculation',
    results_whatIf: 'Results under other rules',
    results_announce: 'E-mails about results',
    results_certificates: 'Certificates',
    next_level_send: 'Level 2 invitations',
    next_level_remind: 'Level 2 reminders',
    incident_tell: 'E-mails about an incident',
    payment_receipt: 'Receipt',
    receipts_zip: 'Receipts as a ZIP',
    overview_figures: 'Season figures',
    backup: 'Backup',
    backup_night: 'Nightly backup',
    retention: 'Data deletion',
    retention_night: 'Nightly data deletion',
    secret_rotation: 'Secret rotation',
  },
  hi: {
    students_import: 'विद्यार्थियों का आयात',
    students_print: 'मुद्रित सूचियाँ',
    schools_import_check: 'विद्यालयों के आयात की जाँच',
    schools_import: 'विद्यालयों का आयात',
    schools_merge: 'विद्यालयों का विलय',
    schools_letters: 'विद्यालयों को पत्र',
    schools_mailing: 'विद्यालयों को ई-मेल',
    dispatch_pack: 'पैकिंग',
    exams_papers: 'परीक्षा पत्र',
    bank_match: 'बैंक पंक्तियों का मिलान',
    bank_book: 'बैंक पंक्तियों का लेखा',
    bank_book_line: 'बैंक पंक्ति का लेखा',
    results_import: 'अंकों का आयात',
    results_compute: 'परिणामों की गणना',
    results_whatIf: 'दूसरे नियमों से परिणाम',
    results_announce: 'परिणामों के ई-मेल',
    results_certificates: 'प्रमाणपत्र',
    next_level_send: 'अगले स्तर के निमंत्रण',
    next_level_remind: 'अगले स्तर के स्मरण',
    incident_tell: 'घटना के ई-मेल',
    payment_receipt: 'रसीद',
    receipts_zip: 'रसीदें ZIP में',
    overview_figures: 'सत्र की गणना',
    backup: 'बैकअप',
    backup_night: 'रात का बैकअप',
    retention: 'पुराने डेटा का मिटाना',
    retention_night: 'रात में पुराने डेटा का मिटाना',
    secret_rotation: 'गुप्त कुंजी का बदलाव',
  },
} as const satisfies Record<WrittenLanguage, Record<string, string>>

/** Returns the key of a kind among these words. */
export const jobKey = (kind: string): string => kind.replaceAll(/[.-]/g, '_')

/** Returns the English name of a kind of job; the kind itself if it has none. */
export function jobName(kind: string): string {
  const key = jobKey(kind)
  return Object.hasOwn(jobWords.en, key) ? jobWords.en[key as keyof typeof jobWords.en] : kind
}

/** Returns the keys of kinds whose name contains the text, in either language. */
export function findJobKeys(search: string): string[] {
  const part = search.toLowerCase()
  return Object.keys(jobWords.en).filter((key) =>
    [jobWords.en, jobWords.hi].some((words) => words[key as keyof typeof words].toLowerCase().includes(part)),
  )
}
