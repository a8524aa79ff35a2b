import type { RowField } from './rules-row.ts'

/** Known column headings, folded: only letters and digits, lower case, without text in brackets. */
const headings: Record<RowField, readonly string[]> = {
  classId: [
    'class',
    'classname',
    'std',
    'standard',
    'grade',
    'cls',
    'classsection',
    'classgrade',
    'क्लास',
    'कक्षा',
  ],
  section: ['section', 'sec', 'division', 'div', 'सेक्शन', 'अनुभाग', 'खंड', 'खण्ड', 'वर्ग'],
  rollno: [
    'rollno',
    'roll',
    'rollnumber',
    'rollnum',
    'classrollno',
    'rno',
    'rn',
    'srollno',
    'studentrollno',
    'रोलनम्बर',
    'रोल',
    'रोलनंबर',
    'रोलनं',
    'अनुक्रमांक',
    'क्रमांक',
  ],
  studentName: [
    'studentname',
    'student',
    'name',
    'nameofstudent',
    'nameofthestudent',
    'nameofchild',
    'childname',
    'studentsname',
    'fullname',
    'pupil',
    'pupilname',
    'nameofpupil',
    'nameofthechild',
    'learner',
    'learnername',
    'candidatename',
    'विद्यार्थी',
    'छात्र',
    'छात्रकापूरानाम',
    'बच्चेकानाम',
    'नाम',
    'छात्रकानाम',
    'विद्यार्थीकानाम',
    'छात्रनाम',
  ],
  parentName: [
    'parentname',
    'parent',
    'parents',
    'parentsname',
    'fathername',
    'fathersname',
    'father',
    'mothername',
    'mothersname',
    'mother',
    'guardianname',
    'guardian',
    'fathermothername',
    'nameoffather',
    'nameofparent',
    'नामपिता',
    'पिता',
    'माता',
    'संरक्षककानाम',
    'अभिभावककानाम',
    'अभिभावक',
    'पिताकानाम',
    'माताकानाम',
  ],
  parentEmailId: [
    'parentemail',
    'parentemailid',
    'parentsemail',
    'email',
    'emailid',
    'emailaddress',
    'mail',
    'mailid',
    'mailaddress',
    'gmail',
    'gmailid',
    'parentmail',
    'parentsmail',
    'parentsemailid',
    'fatheremail',
    'fathersemail',
    'motheremail',
    'ईमेल',
    'ईमेलआईडी',
  ],
  parentMobileNo: [
    'parentmobile',
    'parentmobileno',
    'parentsmobile',
    'mobile',
    'mobileno',
    'mobilenumber',
    'phone',
    'phoneno',
    'phonenumber',
    'contact',
    'contactno',
    'contactnumber',
    'contactnos',
    'contactdetails',
    'parentcontact',
    'parentscontact',
    'parentphone',
    'mobno',
    'mob',
    'ph',
    'phno',
    'tel',
    'telephone',
    'whatsapp',
    'whatsappno',
    'मोबाइल',
    'मोबाइलनंबर',
    'फोन',
    'फ़ोन',
    'फोननंबर',
    'मोबाइलनं',
    'संपर्क',
    'fathermobile',
    'fathersmobile',
    'cell',
    'cellno',
  ],
  subjectName: [
    'subjects',
    'subject',
    'subjectname',
    'olympiads',
    'olympiad',
    'exams',
    'exam',
    'विषय',
    'विषयों',
    'ओलंपियाड',
    'subjectsopted',
    'subjectopted',
  ],
  cb: ['cb', 'comprehensivebook', 'comprehensivebooks'],
  pyqp: [
    'pyqp',
    'pt',
    'previoustestpaper',
    'previoustestpapers',
    'previousyearquestionpaper',
    'previousyearpapers',
  ],
  geneX: ['genex', 'eg', 'olympiadexcellenceguide', 'excellenceguide'],
  tb: ['tb', 'textbook', 'textbooks', 'पाठ्यपुस्तक'],
  wb: ['wb', 'workbook', 'workbooks', 'अभ्यासपुस्तिका', 'कार्यपुस्तिका'],
}

const fields = new Map(
  (Object.entries(headings) as Array<[RowField, readonly string[]]>).flatMap(([field, names]) =>
    names.map((name): [string, RowField] => [name, field]),
  ),
)

/** Folds a heading for lookup. */
export const foldHeading = (heading: string) =>
  heading
    .normalize('NFKC')
    .replace(/\(.*?\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Returns the field a heading names, in English or Hindi. */
export const fieldOfHeading = (heading: string): RowField | undefined => fields.get(foldHeading(heading))

/** Returns the field of each heading cell; undefined if it is not used, or the second one for its field. */
export function fieldsOfHeadings(cells: readonly string[]): Array<RowField | undefined> {
  const usedFields = new Set<RowField>()
  return cells.map((heading) => {
    const field = fieldOfHeading(heading)
    if (!field || usedFields.has(field)) return undefined
    usedFields.add(field)
    return field
  })
}
