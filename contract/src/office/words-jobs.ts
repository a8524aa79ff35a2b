/** What long work is called, by its kind with `_` for its signs: for the list, its file and its search. */
export const jobWords = {
  en: {
    students_import: 'Import of students',
    students_print: 'Printed lists',
    schools_import_check: 'Check of an import of schools',
    schools_import: 'Import of schools',
    schools_merge: 'Merge of schools',
    schools_letters: 'Letters to schools',
    dispatch_pack: 'Packing',
    exams_papers: 'Exam papers',
    bank_match: 'Matching of bank lines',
    bank_book: 'Booking of bank lines',
    results_import: 'Import of marks',
    results_compute: 'Computation of results',
    results_whatIf: 'Results under other rules',
    results_announce: 'Mails about results',
    results_certificates: 'Certificates',
    next_level_send: 'Invitations to the next level',
    next_level_remind: 'Reminders of the next level',
    incident_tell: 'Mails about an incident',
    payment_receipt: 'Receipt',
    cockpit_figures: 'Count of the season',
    care_backup: 'Backup',
    care_backup_night: 'Backup of the night',
    care_retention: 'Deletion of old data',
    care_retention_night: 'Deletion of old data, at night',
    secret_rotation: 'Change of the secret',
  },
  hi: {
    students_import: 'विद्यार्थियों का आयात',
    students_print: 'मुद्रित सूचियाँ',
    schools_import_check: 'विद्यालयों के आयात की जाँच',
    schools_import: 'विद्यालयों का आयात',
    schools_merge: 'विद्यालयों का विलय',
    schools_letters: 'विद्यालयों को पत्र',
    dispatch_pack: 'पैकिंग',
    exams_papers: 'परीक्षा पत्र',
    bank_match: 'बैंक पंक्तियों का मिलान',
    bank_book: 'बैंक पंक्तियों का लेखा',
    results_import: 'अंकों का आयात',
    results_compute: 'परिणामों की गणना',
    results_whatIf: 'दूसरे नियमों से परिणाम',
    results_announce: 'परिणामों की मेल',
    results_certificates: 'प्रमाणपत्र',
    next_level_send: 'अगले स्तर के निमंत्रण',
    next_level_remind: 'अगले स्तर के स्मरण',
    incident_tell: 'घटना की मेल',
    payment_receipt: 'रसीद',
    cockpit_figures: 'सत्र की गणना',
    care_backup: 'बैकअप',
    care_backup_night: 'रात का बैकअप',
    care_retention: 'पुराने डेटा का मिटाना',
    care_retention_night: 'रात में पुराने डेटा का मिटाना',
    secret_rotation: 'गुप्त कुंजी का बदलाव',
  },
} as const satisfies Record<'en' | 'hi', Record<string, string>>

/** The key of a kind among these words. */
export const jobKey = (kind: string): string => kind.replaceAll(/[.-]/g, '_')

/** What work of a kind is called in English; the kind itself where it has no words. */
export function workName(kind: string): string {
  const key = jobKey(kind)
  return Object.hasOwn(jobWords.en, key) ? jobWords.en[key as keyof typeof jobWords.en] : kind
}

/** The keys of work that is called by this, in either language. */
export function jobsCalled(search: string): string[] {
  const part = search.toLowerCase()
  return Object.keys(jobWords.en).filter((key) =>
    [jobWords.en, jobWords.hi].some((words) => words[key as keyof typeof words].toLowerCase().includes(part)),
  )
}
