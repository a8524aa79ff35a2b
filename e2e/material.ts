/** Files that the tests of screens hand in. */

/** A list of students with one of each common fault. */
export const faultyFile = [
  'Student Name,Class,Section,Roll No,Subjects,Parent Mobile,House',
  'Aarohi Namunawala,4,Q,1,Mathematics,9000000001,Blue',
  'Kabir Udaharan,4,Q,1,Mathematics,12,Red',
  ',4,Q,3,Mathematics,,Red',
  'Ishita Kalpanik,14,A,x,Chess,,Green',
  'Devansh Misaal,4,Q,5,Mathematics,9000000005,Green',
].join('\n')

/** The smallest PDF that is one. */
export const slip = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
