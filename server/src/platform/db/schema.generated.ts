// Written by scripts/generate-schema.ts from server/migrations; do not edit. A test fails when it drifts.
import type { ColumnType, GeneratedAlways, Generated as WithDefault } from 'kysely'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue | undefined }
/** Read as a value, written with JSON.stringify, because the driver would turn arrays into PostgreSQL arrays. */
export type Json = ColumnType<JsonValue, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>
/** A column the database fills when nothing is given. */
export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : WithDefault<T>
/** A column that can be null. */
export type Nullable<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S | null, I | null | undefined, U | null> : T | null

export interface Schema {
  acting_sessions: {
    id: GeneratedAlways<number>
    school_id: number
    staff_id: number
    user_id: number
    reason: string
    started_at: Timestamp
    until: Timestamp
    ended_at: Nullable<Timestamp>
  }
  applications: {
    id: GeneratedAlways<number>
    user_id: number
    school_name: string
    name_key: string
    address: string
    city: string
    state: string
    district: string
    country: string
    pin_code: string
    phone: string
    udise_code: Generated<string>
    affiliation_no: Generated<string>
    state_of_review: Generated<string>
    reason: Generated<string>
    school_id: number | null
    submitted_at: Timestamp
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    version: Generated<number>
    question: Generated<string>
    asked_at: Nullable<Timestamp>
    asked_by: number | null
    answer: Generated<string>
    answered_at: Nullable<Timestamp>
  }
  assignments: {
    kind: string
    item_id: number
    staff_id: number
    assigned_at: Timestamp
  }
  attendance_absences: {
    event_id: number
    student_id: number
  }
  attendance_lists: {
    participation_id: number
    class_id: number
    students: number
    absent: number
    saved_at: Timestamp
    version: Generated<number>
  }
  audit: {
    id: GeneratedAlways<number>
    at: Timestamp
    actor_kind: string
    actor_id: number | null
    actor_name: string
    school_id: number | null
    season: string | null
    action: string
    subject_kind: string
    subject_id: string
    change: Generated<Json>
    acting_for: Generated<string>
  }
  backups: {
    id: GeneratedAlways<number>
    made_by: string
    staff_id: number | null
    started_at: Timestamp
    ended_at: Nullable<Timestamp>
    file_name: Generated<string>
    bytes: Generated<number>
    sha256: Generated<string>
    rows: Generated<number>
    files: Generated<number>
    missing: Generated<number>
    verified_at: Nullable<Timestamp>
    deleted_at: Nullable<Timestamp>
    error: Generated<string>
  }
  bank_account_changes: {
    id: GeneratedAlways<number>
    purpose: string
    account_name: string
    bank_name: string
    account_no: string
    ifsc: string
    upi_id: string
    reason: string
    state: Generated<string>
    proposed_by: number
    proposed_at: Timestamp
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    decision_note: Generated<string>
    valid_from: Nullable<Timestamp>
    account_id: number | null
  }
  bank_accounts: {
    id: GeneratedAlways<number>
    purpose: string
    account_name: string
    bank_name: string
    account_no: string
    ifsc: string
    upi_id: string
    valid_from: Timestamp
    version: Generated<number>
    stopped_at: Nullable<Timestamp>
  }
  bank_debits: {
    account_no: string
    amount: number
    day: string
    utr: string
    statement_id: number
  }
  bank_layouts: {
    headings: string
    mapping: Json
    updated_by: number
    updated_at: Timestamp
  }
  bank_line_payments: {
    line_id: number
    payment_id: number
    amount: number
    found_later: Generated<boolean>
    at: Timestamp
  }
  bank_lines: {
    id: GeneratedAlways<number>
    account_no: string
    statement_id: number
    row_no: number
    day: string
    amount: number
    utr: string
    narration: string
    line_key: string
    ordinal: number
    state: Generated<string>
    guess: string | null
    proposal: Nullable<Json>
    guess_school_id: number | null
    to_payments: Generated<number>
    to_credit: Generated<number>
    discarded: Generated<number>
    reason: Generated<string>
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    version: Generated<number>
    search_key: GeneratedAlways<string>
    booking: Nullable<Json>
    booking_job: string | null
    booking_by: number | null
    books_at: Nullable<Timestamp>
    booking_refused: Generated<string>
    rule_id: number | null
    returned_decided_at: Nullable<Timestamp>
    returned_decided_by: number | null
  }
  bank_rules: {
    id: GeneratedAlways<number>
    contains: string
    reason: string
    created_by: number
    created_at: Timestamp
    revoked_by: number | null
    revoked_at: Nullable<Timestamp>
  }
  bank_statements: {
    id: GeneratedAlways<number>
    account_no: string
    file_name: string
    file_sha256: string
    first_day: string
    last_day: string
    lines: number
    fresh: number
    amount: number
    outgoing: number
    job_id: string | null
    imported_by: number
    imported_at: Timestamp
    incoming: number | null
    outgoing_amount: number | null
    opening: number | null
    closing: number | null
    balances_read: Generated<boolean>
    reconciled_by: number | null
    reconciled_at: Nullable<Timestamp>
  }
  book_choices: {
    student_id: number
    event_id: number
    kind: string
    school_id: number
    class_id: number
    price: number
    retained: number
    created_at: Timestamp
  }
  bounced_addresses: {
    address: string
    at: Timestamp
    status: string
  }
  certificates: {
    number: string
    student_id: number
    event_id: number
    created_at: Timestamp
    set_id: number | null
    revoked_at: Nullable<Timestamp>
    revoked_by_version: number | null
  }
  consents: {
    id: GeneratedAlways<number>
    student_id: number
    school_id: number
    notice_version: string
    notice_sha256: string
    language: string
    method: string
    state: string
    at: Timestamp
  }
  contacts: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    designation_id: number
    title_id: number
    name: string
    email: string
    alt_email: Generated<string>
    mobile: string
    alt_mobile: Generated<string>
    active: Generated<boolean>
    confirmed_at: Nullable<Timestamp>
    created_at: Timestamp
    version: Generated<number>
  }
  coordinator_offers: {
    id: GeneratedAlways<number>
    school_id: number
    from_user: number
    to_user: number
    offered_at: Timestamp
    expires_at: Timestamp
    state: Generated<string>
    ended_at: Nullable<Timestamp>
  }
  counters: {
    name: string
    value: number
  }
  countries: {
    id: number
    code: string
    name: string
  }
  couriers: {
    id: GeneratedAlways<number>
    name: string
    link_template: Generated<string>
    active: Generated<boolean>
    version: Generated<number>
    upload_columns: Generated<Json>
  }
  data_requests: {
    id: GeneratedAlways<number>
    kind: string
    student_id: number
    school_id: number
    asked_through: string
    asked_by_user: number | null
    asked_by_staff: number | null
    asked_at: Timestamp
    due_on: string
    message: Generated<string>
    contact: Generated<string>
    state: Generated<string>
    check_method: Generated<string>
    check_note: Generated<string>
    checked_by: number | null
    checked_at: Nullable<Timestamp>
    records: Generated<number[]>
    decision: Generated<string>
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    done_at: Nullable<Timestamp>
    outcome: Generated<Json>
    job_id: string | null
    version: Generated<number>
  }
  day_closings: {
    day: string
    figures: Json
    note: Generated<string>
    closed_by: number
    closed_at: Timestamp
  }
  designations: {
    id: GeneratedAlways<number>
    name: string
    position: number
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
  dispatch_items: {
    id: GeneratedAlways<number>
    season: string
    contents: string
    event_id: number
    class_id: number
    kind: string
    schools: number
    wanted: number
    packed: number
    spare: number
    extra: number
    schools_due: number
    wanted_due: number
    packed_due: number
    spare_due: number
    due: number
  }
  dispatch_needs: {
    school_id: number
    season: string
    contents: string
    event_id: number
    class_id: number
    kind: string
    wanted: number
    packed: number
    due: number
    spare: Generated<number>
    extra: Generated<number>
  }
  dispatch_parts: {
    school_id: number
    season: string
    contents: string
    part: string
    wanted: number
    packed: number
    due: number
    spare: number
    extra: number
  }
  dispatch_releases: {
    event_id: number
    season: string
    set_id: number
  }
  dispatch_spares: {
    season: string
    percent: number
    minimum: number
    version: Generated<number>
  }
  dispatch_stale: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
  }
  dispatch_sums: {
    school_id: number
    season: string
    contents: string
    wanted: number
    packed: number
    due: number
    spare: Generated<number>
    extra: Generated<number>
  }
  districts: {
    id: GeneratedAlways<number>
    state_id: number
    name: string
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
  enrolments: {
    student_id: number
    event_id: number
    school_id: number
    class_id: number
    fee: number
    retained: number
    created_at: Timestamp
    late_fee: Generated<number>
  }
  erasures: {
    id: GeneratedAlways<number>
    student_id: number
    entered_at: Nullable<Timestamp>
    at: Timestamp
    request_id: number
  }
  event_fees: {
    event_id: number
    class_id: number
    fee: number
    retained: number
    cb: number | null
    pyqp: number | null
    genex: number | null
    tb: number | null
    wb: number | null
    book_retained: Generated<number>
  }
  event_figures: {
    event_id: number
    class_id: number
    students: number
    unpaid: number
    schools: number
  }
  event_rules: {
    event_id: number
    version: number
    rules: Json
    note: Generated<string>
    saved_by: number | null
    saved_at: Nullable<Timestamp>
  }
  event_school_figures: {
    event_id: number
    school_id: number
    students: number
  }
  events: {
    id: GeneratedAlways<number>
    season: string
    letter: string
    level: Generated<number>
    mode: string
    closes_on: string
    maximum_marks: number
    sections: Json
    rules: Json
    rules_version: Generated<number>
    version: Generated<number>
    late_from: string | null
    late_fee: Generated<number>
  }
  exam_dates: {
    id: GeneratedAlways<number>
    event_id: number
    ordinal: number
    held_on: string
  }
  exam_schedules: {
    id: GeneratedAlways<number>
    student_id: number
    event_id: number
    from_at: Timestamp
    to_at: Timestamp
    exam_status: Generated<string>
    schedule_status: Generated<string>
    slot_id: number | null
    notified_at: Nullable<Timestamp>
  }
  exam_slots: {
    id: GeneratedAlways<number>
    event_id: number
    from_at: Timestamp
    to_at: Timestamp
    places: number
    version: Generated<number>
  }
  family_links: {
    id: string
    school_id: number
    season: string
    parent_mobile: Generated<string>
    access_code_hash: string
    access_code_sealed: string
    created_at: Timestamp
    revoked_at: Nullable<Timestamp>
    first_opened_at: Nullable<Timestamp>
    last_opened_at: Nullable<Timestamp>
  }
  files: {
    id: string
    school_id: number | null
    kind: string
    name: string
    media_type: string
    bytes: number
    sha256: string
    created_by: number | null
    created_at: Timestamp
  }
  foundation: {
    id: Generated<number>
    name: string
    support_phone: string
    support_email: string
    support_hours: Generated<string>
    receipt_prefix: Generated<string>
    social_links: Generated<Json>
    demo: Generated<boolean>
    version: Generated<number>
    logo_file_id: string | null
    colour: Generated<string>
    short_name: Generated<string>
    postal_address: Generated<string>
    website: Generated<string>
    support_hours_hi: Generated<string>
    logo_width: Generated<number>
    logo_height: Generated<number>
    limits: Generated<Json>
    identity_version: Generated<number>
    logo_version: Generated<number>
    colour_version: Generated<number>
    support_version: Generated<number>
    limits_version: Generated<number>
  }
  holidays: {
    id: GeneratedAlways<number>
    held_on: string
    name: string
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
  idempotency_keys: {
    scope: string
    key: string
    request_sha256: string
    answer: Nullable<Json>
    at: Timestamp
  }
  import_mappings: {
    school_id: number
    headings: string
    columns: Json
    used_at: Timestamp
  }
  incident_notes: {
    id: GeneratedAlways<number>
    incident_id: number
    text: string
    staff_id: number
    at: Timestamp
  }
  incident_people: {
    id: GeneratedAlways<number>
    incident_id: number
    student_id: number | null
    user_id: number | null
    notified_at: Nullable<Timestamp>
    notified_via: Generated<string>
    notified_note: Generated<string>
    mail_key: Generated<string>
  }
  incidents: {
    id: GeneratedAlways<number>
    title: string
    search_key: string
    nature: string
    found_at: Timestamp
    happened: string
    extent: Generated<string>
    measures: Generated<string>
    state: Generated<string>
    closed_by: number | null
    closed_at: Nullable<Timestamp>
    opened_by: number
    opened_at: Timestamp
    job_id: string | null
    version: Generated<number>
    mail: Nullable<Json>
    sent_by: number | null
    sent_at: Nullable<Timestamp>
  }
  instances: {
    id: string
    host: string
    started_at: Generated<Timestamp>
    seen_at: Generated<Timestamp>
  }
  jobs: {
    id: string
    kind: string
    school_id: number | null
    season: string | null
    state: string
    done: Generated<number>
    total: Generated<number>
    input: Generated<Json>
    output: Nullable<Json>
    error: string | null
    created_by: number | null
    created_at: Timestamp
    due_at: Nullable<Timestamp>
    started_at: Nullable<Timestamp>
    ended_at: Nullable<Timestamp>
    claimed_until: Nullable<Timestamp>
    attempts: Generated<number>
  }
  ledger_stale: {
    school_id: number
    season: string
  }
  library_lines: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    event_id: number
    class_id: number
    kind: string
    quantity: number
    price: number
    retained: number
    active: Generated<boolean>
    payment_id: number | null
    paid: Generated<boolean>
    created_by: number
    created_at: Timestamp
    updated_at: Timestamp
    version: Generated<number>
  }
  mail_bounces: {
    outbox_id: number
    at: Timestamp
    status: string
    reason: string
  }
  mail_texts: {
    kind: string
    language: string
    subject: string
    body: string
    changed_by: number
    changed_at: Timestamp
    version: Generated<number>
  }
  next_level_invitations: {
    event_id: number
    student_id: number
    school_id: number
    class_id: number
    wanted: boolean
    by_hand: Generated<boolean>
    reason: Generated<string>
    decided_by: number | null
    decided_at: Timestamp
    notice: Generated<string>
    notified_at: Nullable<Timestamp>
    reminded_at: Nullable<Timestamp>
    answer: Generated<string>
    answer_note: Generated<string>
    answered_by: number | null
    answered_at: Nullable<Timestamp>
    found_by: string
  }
  next_level_rounds: {
    event_id: number
    season: string
    level: number
    set_id: number
    answer_by: string
    note: Generated<string>
    version: Generated<number>
    made_by: number | null
    made_at: Timestamp
    prepared_by: Generated<number[]>
    approved_by: number | null
    approved_at: Nullable<Timestamp>
    job_id: string | null
  }
  notice_reads: {
    notice_id: number
    user_id: number
    school_id: number
    revision: number
    read_at: Timestamp
  }
  notices: {
    id: GeneratedAlways<number>
    title: string
    body: string
    title_hi: Generated<string>
    body_hi: Generated<string>
    important: Generated<boolean>
    audience: string
    states: Generated<Json>
    school_id: number | null
    shows_from: string
    shows_until: string
    ended_at: Nullable<Timestamp>
    created_by: number
    created_at: Timestamp
    changed_by: number
    changed_at: Timestamp
    revision: Generated<number>
    version: Generated<number>
  }
  outbox: {
    id: GeneratedAlways<number>
    key: string
    kind: string
    payload: Json
    created_at: Timestamp
    due_at: Timestamp
    attempts: Generated<number>
    claimed_until: Nullable<Timestamp>
    done_at: Nullable<Timestamp>
    failed_at: Nullable<Timestamp>
    error: string | null
    school_id: number | null
    user_id: number | null
    mailing_id: number | null
  }
  packet_awards: {
    packet_id: number
    event_id: number
    student_id: number
    kind: string
    class_id: number
    award_key: string
    version: number
  }
  packet_lines: {
    packet_id: number
    event_id: number
    class_id: number
    kind: string
    quantity: number
    received: number | null
    spare: Generated<number>
  }
  packet_receipts: {
    packet_id: number
    user_id: number
    differs: boolean
    remark: Generated<string>
    confirmed_at: Timestamp
  }
  packet_track: {
    id: GeneratedAlways<number>
    packet_id: number
    status: string
    remarks: Generated<string>
    at: Timestamp
    staff_id: number | null
  }
  packets: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    contents: string
    customer_name: string
    address: string
    city: string
    state: string
    country: string
    pin_code: string
    phone: string
    courier_name: Generated<string>
    consignment_no: Generated<string>
    courier_link: Generated<string>
    created_at: Timestamp
    version: Generated<number>
    status: Generated<string>
    courier_id: number | null
    weight_grams: number | null
    counts: Generated<boolean>
    resends_id: number | null
    packed_by: number | null
  }
  participations: {
    id: GeneratedAlways<number>
    school_id: number
    event_id: number
    exam_date_id: number | null
    created_at: Timestamp
    version: Generated<number>
    signed_off_at: Nullable<Timestamp>
  }
  payment_library_lines: {
    payment_id: number
    line_id: number
    event_id: number
    class_id: number
    kind: string
    quantity: number
    gross: number
    retained: number
  }
  payment_lines: {
    payment_id: number
    student_id: number
    purpose: string
    gross: number
    retained: number
    live: Generated<boolean>
  }
  payments: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    purpose: string
    reference: string
    gross: number
    retained: number
    payable: number
    paid_on: string
    utr: Generated<string>
    remarks: string
    proof_file_id: string | null
    proof_sha256: string
    state: Generated<string>
    reason: Generated<string>
    receipt_no: string | null
    receipt_file_id: string | null
    submitted_by: number | null
    submitted_at: Timestamp
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    version: Generated<number>
    entered_by: number | null
    search_key: GeneratedAlways<string>
    reversed_at: Nullable<Timestamp>
    reversed_by: number | null
  }
  rate_limits: {
    key: string
    points: Generated<number>
    expire: number | null
  }
  refunds: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    amount: number
    pay_to: string
    reason: string
    state: Generated<string>
    proposed_by: number
    proposed_at: Timestamp
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    decision_note: Generated<string>
    utr: Generated<string>
    account_name: Generated<string>
    account_no: Generated<string>
    ifsc: Generated<string>
    filed_at: Nullable<Timestamp>
    settled_by: number | null
    settled_at: Nullable<Timestamp>
    settle_note: Generated<string>
  }
  result_anomalies: {
    id: GeneratedAlways<number>
    set_id: number
    row_no: number
    exam_roll_no: string
    kind: string
    detail: Generated<Json>
    blocking: boolean
    resolved_at: Nullable<Timestamp>
    resolved_by: number | null
    resolution: Generated<string>
    reopened: Generated<Json>
  }
  result_differences: {
    set_id: number
    before_id: number
    added: number
    removed: number
    changed: number
  }
  result_figures: {
    set_id: number
    class_id: number
    present: number
    absent: number
    schools: number
    gold: number
    silver: number
    bronze: number
    medals: number
    prizes: number
    amount: number
    awards: number
    next_level: number
    highest: number
    stale: Generated<boolean>
  }
  result_holds: {
    event_id: number
    school_id: number
    reason: string
    held_by: number | null
    held_at: Timestamp
  }
  result_lists: {
    school_id: number
    set_id: number
    shape: string
    rows: number
    body: string
  }
  result_marks: {
    set_id: number
    student_id: number
    school_id: number
    class_id: number
    row_no: number
    present: boolean
    section_marks: number[]
    raw_score: number
    final_score: number
  }
  result_sets: {
    id: GeneratedAlways<number>
    event_id: number
    version: number
    state: string
    job_id: string | null
    rows: Generated<number>
    rules: Generated<Json>
    rules_version: Generated<number>
    file_id: string | null
    imported_by: number | null
    imported_at: Timestamp
    computed_by: number | null
    computed_at: Nullable<Timestamp>
    approved_by: number | null
    approved_at: Nullable<Timestamp>
    release_at: Nullable<Timestamp>
    released_at: Nullable<Timestamp>
    read_to: Generated<number>
    reason: Generated<string>
    based_on: number | null
    papers: Nullable<Json>
    papers_differ: Generated<boolean>
    papers_note: Generated<string>
    papers_decided_by: number | null
    papers_decided_at: Nullable<Timestamp>
    early_reason: Generated<string>
  }
  results: {
    set_id: number
    student_id: number
    event_id: number
    school_id: number
    class_id: number
    section: string
    state: string
    zone: string
    exam_roll_no: string
    student_name: string
    present: boolean
    section_marks: number[]
    raw_score: number
    final_score: number
    tie_breaks: Generated<number[]>
    class_rank: number | null
    state_rank: number | null
    zonal_rank: number | null
    olympiad_rank: number | null
    class_pool: number | null
    state_pool: number | null
    zonal_pool: number | null
    olympiad_pool: number | null
    medal: Generated<string>
    prize: Generated<string>
    prize_amount: Generated<number>
    coupon_link: Generated<string>
    award: Generated<string>
    next_level: Generated<boolean>
    reason: Generated<Json>
    link_secret: Generated<string>
  }
  retention_runs: {
    id: GeneratedAlways<number>
    dry: boolean
    counts: Generated<Json>
    staff_id: number | null
    started_at: Timestamp
    ended_at: Nullable<Timestamp>
  }
  saved_views: {
    id: GeneratedAlways<number>
    staff_id: number
    list: string
    name: string
    filters: Json
    hidden: Json
    shared: boolean
    created_at: Timestamp
  }
  school_credits: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    kind: string
    amount: number
    line_id: number | null
    payment_id: number | null
    refund_id: number | null
    note: Generated<string>
    created_by: number
    created_at: Timestamp
    student_id: number | null
    first_school: number | null
  }
  school_departures: {
    id: GeneratedAlways<number>
    school_id: number
    user_id: number
    removed_by_user: number | null
    removed_by_staff: number | null
    reason: Generated<string>
    removed_at: Timestamp
    returned_at: Nullable<Timestamp>
  }
  school_figures: {
    season: string
    school_id: number
    students: number
    due: number
  }
  school_import_rows: {
    import_id: string
    row_no: number
    state: string
    cells: Json
    details: Json
    faults: Generated<Json>
    school_id: number | null
    alike: Generated<Json>
    decision: Generated<string>
  }
  school_imports: {
    id: string
    file_name: string
    file_id: string
    headings: Json
    fields: Json
    state: string
    job_id: string
    created_by: number
    created_at: Timestamp
    imported_at: Nullable<Timestamp>
    remembered: Generated<boolean>
  }
  school_invitations: {
    id: GeneratedAlways<number>
    school_id: number
    email: string
    name: string
    token_hash: string
    invited_by_user: number | null
    invited_by_staff: number | null
    invited_at: Timestamp
    expires_at: Timestamp
    accepted_by: number | null
    accepted_at: Nullable<Timestamp>
    withdrawn_at: Nullable<Timestamp>
    language: Generated<string>
    sent_at: Timestamp
    times_sent: Generated<number>
  }
  school_layouts: {
    headings: string
    fields: Json
    updated_by: number
    updated_at: Timestamp
  }
  school_ledgers: {
    season: string
    school_id: number
    students: number
    gross: number
    retained: number
    paid: number
    verifying: number
    waived: number
    moved: number
    credit: number
    balance: GeneratedAlways<number>
  }
  school_links: {
    id: string
    school_id: number
    access_code_hash: string
    created_at: Timestamp
    revoked_at: Nullable<Timestamp>
    access_code_sealed: Generated<string>
    created_by: number | null
    came_from: number | null
  }
  school_mailing_schools: {
    mailing_id: number
    school_id: number
    mails: number | null
  }
  school_mailings: {
    id: GeneratedAlways<number>
    season: string
    subject: string
    body: string
    readers: string
    filters: Json
    job_id: string | null
    created_by: number
    created_at: Timestamp
  }
  school_merges: {
    id: GeneratedAlways<number>
    from_school: number
    to_school: number
    before: Json
    moved: Json
    settled: Json
    merged_by: number
    merged_at: Timestamp
  }
  school_notes: {
    id: GeneratedAlways<number>
    school_id: number
    kind: string
    body: string
    written_by: number
    written_at: Timestamp
    changed_at: Nullable<Timestamp>
    follow_up: string | null
    followed_up_at: Nullable<Timestamp>
    followed_up_by: number | null
    version: Generated<number>
  }
  school_reminders: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    step: string
    people: number
    sent_by: number
    sent_at: Timestamp
  }
  school_steps: {
    season: string
    school_id: number
    step: string
    until: string | null
    students: number
    due: number
  }
  schools: {
    id: GeneratedAlways<number>
    code: string
    name: string
    name_key: string
    email: Generated<string>
    address: string
    city: string
    district: Generated<string>
    state: string
    zone: string
    country: string
    pin_code: string
    affiliation_no: Generated<string>
    udise_code: Generated<string>
    group_id: Generated<string>
    landline: Generated<string>
    fax: Generated<string>
    website: Generated<string>
    phone: Generated<string>
    whatsapp: Generated<string>
    active: Generated<boolean>
    created_at: Timestamp
    version: Generated<number>
    inactive_reason: Generated<string>
    inactive_since: Nullable<Timestamp>
    search_key: GeneratedAlways<string>
    merged_into: number | null
    merged_at: Nullable<Timestamp>
  }
  season_figures: {
    season: string
    taken_at: Timestamp
    figures: Json
  }
  seasons: {
    label: string
    state: string
    share_rule: Generated<Json>
    fee_due_on: string
    results_from: string
    created_at: Timestamp
    version: Generated<number>
    date_choice_days: Generated<number>
    share_since: Nullable<Timestamp>
  }
  session_tokens: {
    token_hash: string
    session_hash: string
    made_at: Timestamp
    used_at: Nullable<Timestamp>
    replaced_at: Nullable<Timestamp>
  }
  sessions: {
    token_hash: string
    kind: string
    user_id: number | null
    staff_id: number | null
    family_link_id: string | null
    created_at: Timestamp
    last_seen_at: Timestamp
    idle_until: Timestamp
    expires_at: Timestamp
    stay_signed_in: Generated<boolean>
    ended_at: Nullable<Timestamp>
    source: Generated<string>
    agent: Generated<string>
    acting_session_id: number | null
    confirmed_at: Nullable<Timestamp>
    token_due_at: Nullable<Timestamp>
    reused_at: Nullable<Timestamp>
  }
  sign_offs: {
    id: GeneratedAlways<number>
    participation_id: number
    students: number
    missing: Generated<Json>
    signed_by: number
    signed_by_name: string
    signed_at: Timestamp
    reopened_by: number | null
    reopened_by_name: Generated<string>
    reopened_at: Nullable<Timestamp>
    reason: Generated<string>
  }
  social_identities: {
    provider: string
    subject: string
    user_id: number
    email: string
    created_at: Timestamp
  }
  staff: {
    id: GeneratedAlways<number>
    email: string
    name: string
    role: string
    password_hash: string | null
    totp_secret: string | null
    totp_last_step: Generated<number>
    recovery_codes: Generated<string[]>
    created_at: Timestamp
    disabled_at: Nullable<Timestamp>
    version: Generated<number>
  }
  staff_looks: {
    staff_id: number
    kind: string
    item_id: number
    seen_at: Timestamp
    beside: Generated<number[]>
  }
  standard_reasons: {
    kind: string
    reasons: Json
    version: Generated<number>
  }
  states: {
    id: GeneratedAlways<number>
    country_id: number
    code: string
    name: string
    zone: string
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
  student_import_changes: {
    import_id: string
    student_id: number
    before: Json
    version: number
    prices: Nullable<Json>
  }
  student_imports: {
    id: string
    school_id: number
    season: string
    file_name: string
    sha256: string
    row_count: number
    good_count: number
    good_rows: Json
    preview: Json
    job_id: string | null
    created_by: number
    created_at: Timestamp
    confirmed_at: Nullable<Timestamp>
    done: Generated<number>
    imported: Generated<number>
    refused: Generated<Json>
    source: Generated<string>
    undone_at: Nullable<Timestamp>
    sheet: Nullable<Json>
    settings: Generated<Json>
    revision: Generated<number>
    counts: Generated<Json>
    changed: Generated<number>
    rest_of: string | null
  }
  student_moves: {
    id: GeneratedAlways<number>
    student_id: number
    season: string
    from_school: number
    to_school: number
    amount: number
    reason: string
    moved_by: number
    at: Timestamp
  }
  students: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    class_id: number
    section: string
    roll_no: number
    name: string
    name_key: string
    parent_name: Generated<string>
    parent_email: Generated<string>
    parent_mobile: Generated<string>
    active: Generated<boolean>
    paid: Generated<boolean>
    locked: Generated<boolean>
    subject_names: Generated<string>
    letters: Generated<string>
    cb: Generated<string>
    pyqp: Generated<string>
    genex: Generated<string>
    tb: Generated<string>
    wb: Generated<string>
    reg_amount: Generated<number>
    reg_retained: Generated<number>
    book_amount: Generated<number>
    book_retained: Generated<number>
    book_count: Generated<number>
    exam_roll_no: string | null
    family_link_id: string | null
    import_id: string | null
    created_at: Timestamp
    updated_at: Timestamp
    version: Generated<number>
    carried_from: number | null
    import_version: number | null
    waived: Generated<boolean>
    late_amount: Generated<number>
    erased_at: Nullable<Timestamp>
    cancelled: Generated<boolean>
  }
  subjects: {
    letter: string
    name: string
    little_star: boolean
    position: number
    name_hi: Generated<string>
  }
  teacher_questions: {
    id: GeneratedAlways<number>
    school_id: number
    season: string
    user_id: number
    letter: string
    class_id: number
    chapter: string
    question: string
    options: Json
    answer: number
    state: Generated<string>
    reason: Generated<string>
    created_at: Timestamp
    version: Generated<number>
    reviewed_by: number | null
    reviewed_at: Nullable<Timestamp>
  }
  tickets: {
    id_hash: string
    kind: string
    email: Generated<string>
    school_link_id: string | null
    user_id: number | null
    staff_id: number | null
    code_hash: string | null
    tries: Generated<number>
    data: Generated<Json>
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Nullable<Timestamp>
  }
  titles: {
    id: GeneratedAlways<number>
    name: string
    position: number
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
  users: {
    id: GeneratedAlways<number>
    email: string
    name: string
    password_hash: string | null
    mobile: Generated<string>
    gender: number | null
    designation: string
    address: Generated<string>
    city: Generated<string>
    state: Generated<string>
    country: Generated<string>
    pin_code: Generated<string>
    school_id: number | null
    coordinator: Generated<boolean>
    language: Generated<string>
    created_at: Timestamp
    last_sign_in_at: Nullable<Timestamp>
    disabled_at: Nullable<Timestamp>
    version: Generated<number>
  }
  waivers: {
    id: GeneratedAlways<number>
    student_id: number
    school_id: number
    season: string
    gross: number
    retained: number
    reason: string
    evidence_file_id: string
    state: Generated<string>
    asked_by_user: number | null
    asked_by_staff: number | null
    asked_at: Timestamp
    decided_by: number | null
    decided_at: Nullable<Timestamp>
    decision: Generated<string>
    version: Generated<number>
  }
  zones: {
    id: GeneratedAlways<number>
    name: string
    position: number
    active: Generated<boolean>
    version: Generated<number>
    name_hi: Generated<string>
  }
}
