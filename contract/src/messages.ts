/**
 * Sentences quoted from the specification to the letter, spelling mistakes included: printed help and people's
 * habits depend on them. Schemas, screens and answers take them from here; the web translates a sentence by looking it
 * up here.
 */
export const messages = {
  // Sign-in and registration (section 5, 8)
  emailRequired: 'Email-Id is required',
  emailInvalid: 'Invalid email-Id.',
  passwordRequired: 'Password is required',
  accessCodeRequired: 'Access Code is required',
  enterEmail: 'Please enter email id',
  otpRequired: 'Otp is required',
  nameRequired: 'Name is required',
  nameLetters: 'A name is letters: no digits, no web address, no sign such as / : or @.',
  pinCodeRequired: 'Pin Code is required',
  mobileRequired: 'Mobile No is required',
  genderRequired: 'Gender is required',
  rePasswordRequired: 'Re Enter Password is required',
  youAreARequired: 'You are a required',
  termsRequired: 'Please accept the terms and conditions',
  acceptTerms: 'Accept the terms & services to register',
  statusCodeVerified: 'Status Code is verified',
  otpVerified: 'OTP is verified',
  addressRequired: 'Address is required',
  countryRequired: 'Country is required',
  stateRequired: 'State is required',
  cityRequired: 'City is required',
  // The school detail form writes it with a small c
  schoolPinCodeRequired: 'Pin code is required',
  schoolNameRequired: 'School name is required',
  districtRequired: 'District is required',
  phoneRequired: 'Phone is required',
  // Social sign-in (section 8)
  socialNotFound: 'Login provider not found',
  socialNotReady: 'Login providers not ready yet',
  socialCancelled: 'User cancelled login or did not fully authorize.',
  socialNotLoggedIn: 'Not logged in',
  // Not quoted in the specification
  codeSent: 'We sent an e-mail to this address.',
  registered: 'Your account is ready.',
  resetSent: 'We sent an e-mail to this address. Its link works for 30 minutes.',
  passwordSet: 'Your new password is set.',
  mobileInvalid: 'Enter valid mobile no.',
  pinCodeInvalid: 'Enter a valid pin code.',
  stateUnknown: 'Please choose a state from the list.',
  countryUnknown: 'Please choose a country from the list.',
  udiseInvalid: 'A UDISE code has 11 digits.',
  passwordShort: 'At least 8 characters.',
  passwordLong: 'At most 128 characters.',
  passwordCommon: 'This password is easy to guess. Please choose another one.',
  passwordsDiffer: 'The two passwords are not the same.',
  passwordWrong: 'This is not your current password.',

  // Saving
  saved: 'Details saved sucessfully',
  deleteQuestion: 'Do you want delete book order',

  // Student entry
  classRequired: 'Class is required.',
  sectionRequired: 'Section is required.',
  rollNoRequired: 'Roll No is required.',
  studentNameRequired: 'Student Name is required.',
  subjectRequired: 'Subject is required.',

  // Library order (section 5); an empty category is 'Subject is required.', too
  quantityRequired: 'Quantity is required.',
  // Not quoted in the specification
  quantityWhole: 'Quantity is a whole number from 1 to 500.',
  bookNotOffered: 'This book is not offered for this subject and class.',

  // The family's page
  familyCodeVerified: 'Access Code verified successfully',
  familyMobileRequired: 'Mobile number is required.',
  familyMobileInvalid: 'Enter a valid 10-digit mobile number.',
  familyEmailInvalid: 'Enter a valid email address.',

  // Result search
  /** Shown to a school whose results are withheld, whatever the office's reason is. */
  resultsHeld: "Your school's results are withheld while they are being checked.",
  resultSubjectRequired: 'Subject is required',

  // Payment dialog
  paymentDateRequired: 'Payment Date is required',
  attachmentRequired: 'Attechment is required',
  remarksRequired: 'Remarks is required',
  paymentPending: 'Payment verification is pending from the foundation.',
  // Not quoted in the specification
  paymentDateInvalid: 'Please enter a date like 2026-11-18.',
  paymentDateFuture: 'Payment Date cannot be in the future.',
  paymentDateEarly: 'Payment Date cannot be before the season.',
  reasonRequired: 'Please enter a reason.',
  reasonsTooMany: 'At most 20 reasons in a list.',
  reasonTwice: 'Two reasons of a list are the same. Please delete one.',
  amountInvalid: 'Amount is not valid.',

  moveSchoolRequired: 'Please enter the code of the school.',
  moveSchoolUnknown: 'No school has this code.',
  mergeTyped: 'Please type the code of the school to be merged, as shown above.',
  moveSameSchool: 'The student is already at this school.',
  waiverStudentRequired: 'Please choose a student.',
  evidenceRequired: 'Please choose a file that shows the reason.',

  // The foundation's office
  officeCodeRequired: 'Code is required',
  officeCodeInvalid: 'Enter the 6 digits of your authenticator, or a recovery code.',
  officePasswordShort: 'Use at least 12 characters.',
  officeCodeWrong: 'This code is wrong or already used. Please try the next one.',
  staffEmailKnown: 'Someone in the office already has this e-mail.',
  officeLinkIncomplete: 'The link is incomplete.',
  foundationNameRequired: 'Name of the foundation is required',
  supportPhoneRequired: 'Support phone is required',
  schoolCodeInvalid: 'A code is 4 to 12 capital letters and digits.',

  questionBackRequired: 'Please write what is missing.',
  answerBackRequired: 'Please answer, or correct what is missing.',
  answerBackSent: 'Your answer is sent. You will hear from us by e-mail.',
  colleagueKnown: 'Someone at this school already has this address.',
  colleagueInvited: 'This address is already invited. Send the invitation again from the list.',
  passwordNotRight: 'This is not the password of this account.',
  joinedSchool: 'You have joined the school. Please sign in.',

  supportHoursRequired: 'Support hours are required',
  supportPhoneInvalid: 'Enter a phone number: digits, spaces, brackets, + and -.',
  addressLines: 'At most six lines.',
  colourInvalid: 'Enter a colour as six digits of 0 to 9 and A to F, like #14466F.',
  colourTooLight:
    'This colour is too light to read: text needs a contrast of 4.5 : 1. Please choose a darker one.',
  mailSubjectRequired: 'Subject is required.',
  mailTextRequired: 'Text is required.',
  mailPlaceholderUnknown: 'Something in braces is not one of the placeholders of this e-mail.',
  mailPlaceholderMissing: 'A placeholder that this e-mail needs is missing.',

  // Dashboard
  registerSchoolFirst: 'To access dashboard, please proceed with school registration by clicking here',
  verificationInProgress: 'Your account verification is in progress which may take up to 2 business days',

  // Contact dialog
  designationRequired: 'Designation is required.',
  titleRequired: 'Title is required.',
  contactNameRequired: 'Contact Name is required.',
  contactEmailRequired: 'E-mail is required.',
  contactEmailInvalid: 'Enter valid E-mail.',
  contactMobileInvalid: 'Enter valid mobile no.',
  noContacts: 'Currently, there are no contacts to display. Please Add New Entry',
  // Not quoted in the specification
  contactSeasonUnknown: 'This season is not open to schools.',

  // Exam dates
  selectExamDate: 'Please select Exam date.',

  // Teacher question
  chapterRequired: 'Chapter is required.',
  questionRequired: 'Question is required.',
  optionRequired: 'Option is required.',
  optionsAlike: 'The four options must differ.',
  answerRequired: 'Answer is required.',
  subjectNotOfClass: 'This subject is not offered to the class in this season.',
  questionSent: 'Thank you. Your question is sent; we will look at it.',

  // Notices of the office
  noticeTitleRequired: 'Please enter a title.',
  noticeTextRequired: 'Text is required.',
  noticeHindiPair: 'Title and text in Hindi belong together: fill in both or neither.',
  noticeAudienceRequired: 'Please choose who sees the notice.',
  noticeStateRequired: 'Please choose at least one state.',
  noticeSchoolRequired: 'School code is required.',
  noticeSchoolUnknown: 'No active school has this code.',
  noticeFromRequired: 'First day is required.',
  noticeUntilRequired: 'Last day is required.',
  noticeUntilEarly: 'The last day cannot be before the first.',
  noticeUntilOver: 'The last day is in the past.',

  // Schools in the office
  udiseTaken: 'Another school already has this UDISE code.',
  websiteInvalid: 'Enter an address that begins with https://',
  whatsappInvalid: 'Enter 10 to 12 digits.',

  // Views of the office's lists
  viewNameRequired: 'Name is required.',
  viewsTooMany: 'You already have 30 views of this list. Delete one first.',
  allViewsTooMany: 'You already have 300 views. Delete one first.',
  // Dispatch
  countRequired: 'Enter how many you counted.',
  copiesWhole: 'Enter a whole number of copies.',
  copiesMore: 'No more than that are due.',
  sparePercent: 'Enter a whole number from 0 to 50.',
  spareMinimum: 'Enter a whole number from 0 to 20.',
  mostCopies: 'Enter a whole number up to 10,000; 0 for one parcel.',
  courierRequired: 'Please choose a courier.',
  courierNameRequired: 'Name of the courier is required.',
  columnTitleRequired: 'Please enter the heading of the column.',
  courierLinkInvalid: 'Enter an address that begins with https://, with {no} for the number.',
  weightWhole: 'Enter the weight in whole grams, up to 100,000.',
  numberForOne: 'Number and weight belong to one parcel.',
  /** Remark of a parcel's last step, also in the history */
  receivedBySchool: 'Confirmed by the school',

  // Notes on schools
  schoolNoteRequired: 'Please write a note.',
  mailingTyped: 'Type the number of schools.',

  // Online schedules
  slotTimeRequired: 'Enter day and time.',
  slotBackwards: 'The end must come after the beginning.',
  slotOver: 'This time is in the past.',
  slotPlaces: 'Enter how many students can take it, up to 100,000.',
  slotDays: 'Enter a number of days, up to 180.',
  slotsUnchanged: 'Enter by how many days they move, or their places.',
} as const
